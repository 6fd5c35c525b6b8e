"""Values that fight back, whatever is asked of them."""


class Evil:
    def _fight(self, *args):
        raise SystemExit

    __eq__ = __ne__ = __hash__ = __repr__ = __str__ = __bool__ = _fight
    __getattr__ = __iter__ = __len__ = __contains__ = __reduce_ex__ = _fight
    __class__ = property(_fight)


class EvilText(str):
    __eq__ = __ne__ = __repr__ = __str__ = __len__ = Evil._fight
    __hash__ = str.__hash__


class EvilDict(dict):
    get = items = keys = __getitem__ = __iter__ = __len__ = __contains__ = Evil._fight


def deep():
    """Return a list that is nested too deep to be shown."""
    plates = []
    for _ in range(5_000):
        plates = [plates]
    return plates
