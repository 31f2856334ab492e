"""Which topics would have been enough?"""

from pages.parts import chosen_topics, data, frame, topic_subsets

frame.begin("topic_subsets")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left:
    asked = topic_subsets.ask()

with right:
    shows = (topic_subsets.show, chosen_topics.show_held_out, chosen_topics.show_audit)
    for view, show in zip(topic_subsets.views(), shows, strict=True):
        if view.open:
            with view:
                show(asked)
