"""Which topics would have been enough?"""

from pages.parts import data, frame
from pages.parts.topic_subsets import audit, form, held_out, results

frame.begin("topic_subsets")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    settings = form.ask()

with right:
    for view, show in zip(form.views(), (results.show, held_out.show, audit.show), strict=True):
        if view.open:
            with view:
                show(settings)
