"""Documents that the tests read."""

from collections.abc import Sequence

__all__ = ["HTML", "MARKDOWN", "RESTRUCTURED", "portable"]

MARKDOWN = """\
---
title: Notes
date: 2026-01-01
---
# Deploy notes are here.

The worker pool was doubled to 80 on 3 May,
see v1.2.3 in `deploy/config.yaml`. It took 3.5 s, i.e. twice as long. Dr. Lee approved it.

> The cache is cold after each deploy.

- Restart the queue.
- The queue keeps messages for 14 days.
  - Nested items are whole sentences too.

The limits are as follows:

- 40 connections
- 12 threads

| service | p95 | note |
|---|---|---|
| api | 120 ms | fine |
| db | 3 ms | |

```python
x = 1  # The code is no fact.
```

Term[^1] has a note. Is this a question?

[^1]: The footnote is skipped here.

[ref]: https://example.com
"""

RESTRUCTURED = """\
Title
=====

.. include:: /etc/hostname
.. raw:: html

   <b>The raw text is no fact.</b>

The :func:`~os.path.join` function joins paths, and :pep:`8` is a style guide.
The ``eval()`` call is slow. See `the docs <https://x.example/z>`_.

.. note:: A note may hold a whole sentence.

==========  ======
name        size
==========  ======
alpha       3 GB
==========  ======

Footnotes are dropped [1]_ without a trace.

.. [1] The footnote text is not a fact.

term
   The definition explains the term well.
"""

HTML = """\
<html><head><title>x</title><script>var a = "The script is no fact.";</script></head><body>
<nav>The navigation is not read.</nav>
<h1>The report of the night</h1>
<p>The site was <b>slow</b> on Monday.
It <a href="#">recovered</a> on Tuesday.</p>
<ul><li>The disk was full.</li><li>two</li></ul>
<p>The costs of that day were:</p><ul><li>40 EUR for disks</li><li>10 EUR for cables</li></ul>
<table><tr><th>disk</th><th>used</th></tr><tr><td>sda</td><td>90%</td></tr></table>
<pre>The code is no fact.</pre>
<div>Loose text in a div is read too.<br>And it goes on after a break.</div>
</body></html>
"""


def portable(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF with these lines on its pages."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * number} 0 R >>"
        )
        shown = "BT /F1 11 Tf 72 720 Td 14 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        objects.append(f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream")
    data, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()
