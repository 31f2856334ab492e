"""How many topics for a two-sample t test between two systems?"""

from pages.parts import design_page
from topicset_core.designs import two_sample_t

design_page.draw("two_sample_t", two_sample_t.DESIGN)
