"""What only the page that checks a test on scores needs: its form, its work."""
