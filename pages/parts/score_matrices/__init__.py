"""What only the page of score matrices needs: how they come in, what is done to them, what they show."""
