"""What Streamlit lacks as a server: a start that waits for the app, own names only, a browser's cookie, limits."""
