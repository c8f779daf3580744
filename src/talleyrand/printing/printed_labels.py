"""The words of printed pages in the reader's language."""

from talleyrand.messages import Catalogue

printing_sentence = Catalogue("talleyrand.printing", "printing").say
