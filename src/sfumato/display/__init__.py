"""Tables as text and HTML, pages that stand alone, figures in one style."""
