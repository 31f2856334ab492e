"""What ``streamlit run`` serves: the app behind the middleware."""

from pathlib import Path

from streamlit.starlette import App

from server.middleware import ALL

app = App(Path(__file__).parents[1] / "app.py", middleware=ALL)
