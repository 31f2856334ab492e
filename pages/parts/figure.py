"""A chart with its exports: SVG and PNG from the browser, in colour or in print style."""

import streamlit as st

from topicset_core.exports.figures import Figure

# Streamlit's own chart has a camera button for one format only. This presses it for either format;
# the chart library is not reachable from outside, its camera button and options are.
_SAVE = st.components.v2.component(
    "topicset.save_chart",
    html='<span class="label">Save chart</span>'
    '<button data-format="svg" aria-label="Save chart as SVG">SVG</button>'
    '<button data-format="png" aria-label="Save chart as PNG">PNG</button>',
    css="""
    :host { display: flex; gap: 0.4rem; align-items: center; }
    .label { font: 0.875rem var(--st-font); color: var(--st-text-color); }
    button {
      font: 0.875rem var(--st-font); color: var(--st-text-color); cursor: pointer;
      background: transparent; border: 1px solid var(--st-border-color);
      border-radius: var(--st-base-radius); padding: 0.25rem 0.7rem; margin-left: 0.4rem;
    }
    button:hover, button:focus-visible { border-color: var(--st-primary-color); }
    """,
    js="""
    export default function ({ data, parentElement }) {
      for (const button of parentElement.querySelectorAll("button")) {
        button.onclick = () => {
          const chart = document.querySelector(`.st-key-${data.key} .js-plotly-plot`);
          const camera = chart?.querySelector('.modebar-btn[data-attr], .modebar-btn');
          if (!camera) return;
          chart._context.toImageButtonOptions = {
            ...chart._context.toImageButtonOptions, format: button.dataset.format, filename: data.name
          };
          camera.click();
        };
      }
    }
    """,
)


def show(*figures: Figure, of: str = "") -> None:
    """Draw figures, each with buttons that save it.

    Parameters
    ----------
    *figures : Figure
        With names that are unique on the page.
    of : str
        What file names of saved charts begin with, before the figure's name.
    """
    for one in figures:
        _show(one, f"{of}-{one.name}" if of else one.name)


def _show(figure: Figure, file: str) -> None:
    key = figure.name
    with st.container(key=f"figure-{key}"):
        st.plotly_chart(
            figure.drawn,
            key=f"chart-{key}",
            theme=None,
            alt=figure.alt,
            config={
                "displaylogo": False,
                "modeBarButtons": [["toImage"]],
                "toImageButtonOptions": {"format": "svg", "filename": file, "width": 900, "height": 500},
            },
        )
        _SAVE(data={"key": f"figure-{key}", "name": file}, key=f"save-{key}")


def print_style_switch() -> None:
    """Draw the switch that shows all charts black on white, as they belong on paper."""
    st.toggle(
        "Print style",
        key="print_style",
        persist_state="session",
        help="Charts black on white, in either theme: saving a chart saves what is on screen.",
    )
