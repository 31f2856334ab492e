"""How many topics for a paired t test between two systems?"""

from pages.parts import design_page
from topicset_core.designs import paired_t

design_page.draw("paired_t", paired_t.DESIGN)
