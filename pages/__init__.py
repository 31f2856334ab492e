"""The pages of the app, one question each; what they share is in `pages.parts`."""
