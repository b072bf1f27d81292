"""What `Scripts/dist.py` packs: the program, its pages, its licences, and the statements about them."""


class Refusal(Exception):
    """The reason, as one sentence, for which nothing is packed."""
