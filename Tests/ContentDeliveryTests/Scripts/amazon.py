"""The keys and the clock of requests that botocore signs."""

import datetime
from unittest import mock

# The keys of Amazon's own examples.
KEY, SECRET = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"


def clock(seconds):
    """Sets the time in a `with` statement. Debian's botocore asks `utcnow`, a newer one `now`."""

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(seconds, tz)

        @classmethod
        def utcnow(cls):
            return cls.now(datetime.timezone.utc).replace(tzinfo=None)

    return mock.patch("datetime.datetime", Clock)
