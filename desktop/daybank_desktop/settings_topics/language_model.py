"""The language model that may help to word suggestions. Off until the person chooses one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from daybank_desktop.services.language_models import ServerLook
from daybank_desktop.services.ollama import OLLAMA, OllamaState
from daybank_desktop.settings_topics.topic import SettingsServices, Topic
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.confirm import ConfirmDialog
from daybank_desktop.widgets.select_box import SelectBox
from daybank_desktop.widgets.setting_rows import RadioRow, Row, SettingRow
from daybank_desktop.widgets.text_field import TextField
from daybank_desktop.widgets.text_layout import shown

EXAMPLE = "http://127.0.0.1:8080"


class LanguageModelTopic(Topic):
    def __init__(self, services: SettingsServices) -> None:
        super().__init__(
            self.tr("Language model"),
            self.tr("Daybank needs none. One that runs on this computer can help a little."),
        )
        self._models = services.language_models
        self._dialog: ConfirmDialog | None = None
        self._allowed = ""  # the address of another computer that the person said yes to
        card = self.add_group(self.tr("Which one"))
        self.none = RadioRow(self.tr("None"), self.tr("Suggestions use the notes’ own words."))
        self.names = SelectBox(self.tr("Model of Ollama"))
        self.look_again = Button(self.tr("Look again"), small=True)
        extra = QWidget()
        row = QHBoxLayout(extra)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.names)
        row.addWidget(self.look_again)
        self.ollama = RadioRow(self.tr("Ollama on this computer"), "", extra=extra)
        self.server = RadioRow(
            self.tr("Another server"),
            self.tr("One that speaks as OpenAI’s does, such as llama.cpp or LM Studio."),
        )
        self.form = _ServerForm()
        self._group = QButtonGroup(self)
        for radio in (self.none, self.ollama, self.server):
            card.add(radio)
            self._group.addButton(radio.mark)
        card.add(self.form)
        may = self.add_group(self.tr("What it may do"))
        for title, text in (
            (
                self.tr("Put a line for a page into a sentence"),
                self.tr("It is taken only if it says what the notes say, in their own words."),
            ),
            (
                self.tr("Give a second opinion"),
                self.tr(
                    "On whether a note speaks for or against. It can only make Daybank more"
                    " careful, or a little surer."
                ),
            ),
            (
                self.tr("Nothing else"),
                self.tr("It writes into no file, and each suggestion still waits for your yes."),
            ),
        ):
            may.add(SettingRow(title, text))
        self.add_note(
            self.tr("A server on another computer is asked only if you allow it."),
            "state.private",
        )
        self.none.mark.clicked.connect(self._models.choose_none)
        self.ollama.mark.clicked.connect(self._choose_ollama)
        self.names.chosen.connect(lambda _: self._choose_ollama())
        self.look_again.clicked.connect(self._models.look_for_ollama)
        self.server.mark.clicked.connect(self._on_server_marked)
        self.form.asked.clicked.connect(self._look_at_server)
        self.form.address.submitted.connect(lambda _: self._look_at_server())
        self.form.address.text_changed.connect(lambda _: self.form.forget_names())
        self.form.names.chosen.connect(lambda _: self._choose_server())
        self._models.changed.connect(self._show_choice)
        self._models.ollama_changed.connect(self._show_ollama)
        self._models.server_changed.connect(self._show_server)
        self._show_ollama(self._models.ollama)
        self._show_choice()

    def refresh(self) -> None:
        self._show_choice()  # what was begun and not chosen is forgotten
        if not self._models.ollama.is_known:
            self._models.look_for_ollama()

    @property
    def dialog(self) -> ConfirmDialog | None:
        """The question before notes may leave this computer."""
        return self._dialog

    def _show_choice(self) -> None:
        choice = self._models.choice or ""
        rest = choice.partition(":")[2]
        address, has_address, name = rest.partition("#")
        if not choice:
            self.none.mark.setChecked(True)
        elif has_address:
            self.server.mark.setChecked(True)
            if not self.form.address.text():
                self.form.address.set_text(address)
            self.form.show_name(name)
        else:
            self.ollama.mark.setChecked(True)
        self.form.setVisible(self.server.mark.isChecked())
        self._show_ollama(self._models.ollama)

    # Ollama

    def _show_ollama(self, state: OllamaState) -> None:
        choice = self._models.choice or ""
        mine = choice.removeprefix(OLLAMA) if choice.startswith(OLLAMA) else ""
        mine = "" if "#" in mine else mine
        names = list(state.names)
        if mine and mine not in names:
            names.insert(0, mine)
        value = mine or self.names.value
        if self.names.ids() != tuple(names):
            self.names.set_choices([(name, shown(name)) for name in names])
        self.names.set_value(value if value in names else names[0] if names else "")
        self.names.setVisible(bool(names))
        self.ollama.mark.setEnabled(bool(names))
        self.look_again.setEnabled(not state.is_looking)
        if state.is_looking:
            text = self.tr("Looking…")
        elif state.problem:
            text = self.tr("Not running now.")
        elif state.is_known and not state.names:
            text = self.tr("It has no model yet.")
        else:
            text = self.tr("Models that you installed yourself.")
        self.ollama.set_text(text)
        self.ollama.fit()

    def _choose_ollama(self) -> None:
        if self.names.value:
            self._models.choose_ollama(self.names.value)

    # Another server

    def _on_server_marked(self) -> None:
        """Nothing is chosen before a model of it is."""
        self.form.show()
        if not self.form.address.text():
            self.form.address.set_text(EXAMPLE)
        self.form.address.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _look_at_server(self, *, allow_host: bool = False) -> None:
        self.form.address.set_error("")
        self._models.look_at_server(self.form.address.text(), allow_host=allow_host)

    def _show_server(self, look: ServerLook) -> None:
        self.form.asked.setEnabled(not look.is_looking)
        if look.address != self.form.address.text().strip():
            return
        if look.is_elsewhere:
            self._ask_for_leave(look.address)
        elif look.problem:
            self.form.address.set_error(look.problem)
        elif not look.is_looking and not look.names:
            self.form.address.set_error(self.tr("This server has no model."))
        elif look.names:
            self.form.set_names(look.names)
            self._choose_server()

    def _choose_server(self) -> None:
        address = self.form.address.text().strip().rstrip("/")
        if self.form.names.value:
            allowed = address == self._allowed
            self._models.choose_server(address, self.form.names.value, allow_host=allowed)

    def _ask_for_leave(self, address: str) -> None:
        if self._dialog is not None:
            return
        dialog = ConfirmDialog(
            self.tr("Let notes leave this computer?"),
            self.tr(
                "“{address}” is another computer. At each reflection it is sent lines of your"
                " notes. What happens to them there, Daybank cannot know."
            ).format(address=shown(address)),
            self.tr("Let them leave"),
            danger=True,
            parent=self.window(),
        )
        dialog.yes.setDefault(False)
        dialog.no.setDefault(True)
        dialog.no.setFocus()
        self._dialog = dialog
        dialog.accepted.connect(lambda: self._on_leave_given(address))
        dialog.finished.connect(self._on_dialog_over)
        dialog.open()

    def _on_leave_given(self, address: str) -> None:
        self._allowed = address.rstrip("/")
        self._look_at_server(allow_host=True)

    def _on_dialog_over(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.deleteLater()


class _ServerForm(Row):
    """The address, and the models that were found there."""

    def __init__(self) -> None:
        super().__init__()
        self.address = TextField(self.tr("Address of the server"), placeholder=EXAMPLE)
        self.asked = Button(self.tr("Look there"), small=False)
        self.names = SelectBox(self.tr("Model of this server"))
        self.names.hide()
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.address, 1)
        line.addWidget(self.asked, 0, Qt.AlignmentFlag.AlignTop)
        box = QVBoxLayout(self)
        box.setContentsMargins(50, 12, 18, 14)
        box.setSpacing(8)
        box.addLayout(line)
        box.addWidget(self.names)

    def set_names(self, names: tuple[str, ...]) -> None:
        kept = self.names.value
        value = kept if kept in names else names[0]
        self.names.set_choices([(name, shown(name)) for name in names], value)
        self.names.show()

    def show_name(self, name: str) -> None:
        """The one that is chosen, known or not."""
        if name not in self.names.ids():
            self.names.set_choices([(name, shown(name))])
        self.names.set_value(name)
        self.names.show()

    def forget_names(self) -> None:
        """Another address has other models."""
        self.names.set_choices([])
        self.names.hide()
