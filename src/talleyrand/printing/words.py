"""The words of printed pages in the reader's language."""

from talleyrand.messages import Catalogue

say = Catalogue("talleyrand.printing", "printing").say
