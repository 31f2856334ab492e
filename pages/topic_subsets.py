"""Which topics would have been enough?"""

from pages.parts import chosen_topics, data, frame, needed, topic_subsets

frame.begin("topic_subsets")
data.show_data_in_use()
left, right = frame.form_and_answer()
needed.check("scores")

with left:
    asked = topic_subsets.ask()

if asked.view == "topics":
    with right:
        topic_subsets.show(asked)
else:
    show = chosen_topics.show_held_out if asked.view == "held-out" else chosen_topics.show_audit
    show(asked, left, right)
