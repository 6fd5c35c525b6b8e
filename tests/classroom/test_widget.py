"""What every widget has: a text, and HTML that says the same."""

from mini_rpc.classroom.widget import Widget


class Sign(Widget):
    _esm = "export default {};"

    def transcript(self):
        return "wet <paint>"


def test_a_widget_is_also_plain_text_and_static_html():
    data = Sign()._repr_mimebundle_()[0]
    assert data["text/plain"] == "wet <paint>"
    assert data["text/html"] == "<pre>wet &lt;paint&gt;</pre>"
    assert "application/vnd.jupyter.widget-view+json" in data
