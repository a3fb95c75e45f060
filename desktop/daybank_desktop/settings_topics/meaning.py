"""Search by meaning: which model it uses, fetching one, and how far the notes are prepared."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from daybank.errors import DaybankError
from daybank_desktop import phrases
from daybank_desktop.services.meaning import Phase, Readiness
from daybank_desktop.services.models import (
    UNIVERSAL,
    Download,
    DownloadPhase,
    ModelRow,
)
from daybank_desktop.services.ollama import OLLAMA, OllamaState
from daybank_desktop.settings_topics import words
from daybank_desktop.settings_topics.topic import SettingsServices, Topic
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.confirm import ConfirmDialog
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.progress_line import ProgressBar
from daybank_desktop.widgets.select_box import SelectBox
from daybank_desktop.widgets.setting_rows import RadioRow, SettingRow, ToggleRow
from daybank_desktop.widgets.text_layout import shown
from daybank_desktop.widgets.toggle import Toggle

_BAR = 158


class MeaningTopic(Topic):
    by_meaning_switched = Signal(bool)
    model_changed = Signal(str)

    def __init__(self, services: SettingsServices) -> None:
        self.switch = _Switch(self.tr("Search by meaning"))
        super().__init__(
            self.tr("Search by meaning"),
            self.tr("Finds “he was ill” when you type “doctor”. It runs on this computer only."),
            self.switch,
        )
        self._services = services
        self._models = services.models
        self.rows: dict[str, RadioRow] = {}
        self.panels: dict[str, ModelPanel] = {}
        self._dialog: ConfirmDialog | None = None
        self._group = QButtonGroup(self)
        self._card = self.add_group(self.tr("What it uses"))
        self._build_ollama()
        self._build_notes()
        self.add_note(
            self.tr("Daybank goes online only for a download that you start here."),
            "state.private",
        )
        self._connect()
        self._show_models()
        self._show_ollama(self._models.ollama)
        self._show_switch()

    def refresh(self) -> None:
        self._services.shared.refresh()
        self._models.refresh()
        if not self._models.ollama.is_known:
            self._models.look_for_ollama()
        self._show_readiness(self._services.meaning.readiness)

    def _connect(self) -> None:
        models, rules = self._models, self._services.meaning_rules
        models.changed.connect(self._show_models)
        models.download_changed.connect(self._on_download)
        models.ollama_changed.connect(self._show_ollama)
        models.model_changed.connect(self._on_model_changed)
        models.arrived.connect(self._on_arrived)
        models.removed.connect(self._on_removed)
        models.failed.connect(self._on_failed)
        self.switch.toggle.clicked.connect(rules.set_on)
        self.mains.toggle.clicked.connect(lambda is_on: rules.set_also_on_battery(not is_on))
        rules.switched.connect(self._on_switched)
        rules.waits_changed.connect(lambda _: self._show_now())
        self._services.meaning.changed.connect(self._show_readiness)
        self._services.library.overview_changed.connect(lambda _: self._show_now())
        self.prepare.clicked.connect(self._on_prepare)

    # The models

    def _show_models(self) -> None:
        models = self._models
        for number, model in enumerate(models.rows):
            if model.id not in self.rows:
                self._add_row(number, model)
        known = {model.id for model in models.rows}
        for id_, row in self.rows.items():
            row.setVisible(id_ in known)
        for model in models.rows:
            self._show_model(model)
        self._mark_choice()
        self._show_ollama(models.ollama)

    def _add_row(self, number: int, model: ModelRow) -> None:
        name, text = self._words(model)
        fact = words.size(model.size_bytes) if model.size_bytes else ""
        panel = ModelPanel(name)
        row = RadioRow(name, text, fact=fact, extra=panel)
        panel.resized = row.fit
        self.rows[model.id], self.panels[model.id] = row, panel
        self._group.addButton(row.mark)
        self._card.insert(number, row)
        row.mark.clicked.connect(partial(self._choose, model.id))
        panel.download_asked.connect(partial(self._models.start_download, model.id))
        panel.pause_asked.connect(self._models.pause)
        panel.resume_asked.connect(self._models.resume)
        panel.stop_asked.connect(partial(self._models.stop, model.id))
        panel.remove_asked.connect(partial(self._ask_to_remove, model.id))

    def _words(self, model: ModelRow) -> tuple[str, str]:
        if model.id == UNIVERSAL:
            return self.tr("Sixteen languages"), self.tr("Small and quick. You installed it.")
        return model.name, model.description

    def _show_model(self, model: ModelRow) -> None:
        models = self._models
        download = models.download
        mine = download if download is not None and download.model == model.id else None
        is_busy = download is not None and mine is None and download.phase is DownloadPhase.RUNNING
        self.panels[model.id].show_state(
            model,
            mine,
            in_use=models.in_use == model.id,
            trying=models.choosing == model.id,
            is_busy=is_busy,
        )
        self.rows[model.id].mark.setEnabled(model.state == "installed")
        self.rows[model.id].fit()

    def _mark_choice(self) -> None:
        wanted = self._models.choosing or self._models.in_use
        mark = self.ollama.mark if wanted.startswith(OLLAMA) else None
        if wanted in self.rows:
            mark = self.rows[wanted].mark
        if mark is not None:
            mark.setChecked(True)

    def _choose(self, model: str) -> None:
        if self._models.choosing:
            self._mark_choice()
        else:
            self._models.use(model)

    def _on_download(self, download: Download | None) -> None:
        for model in self._models.rows:
            self._show_model(model)
        if download is not None and download.reason:
            announce(self, download.reason)

    def _on_arrived(self, model: ModelRow) -> None:
        self.say(
            self.tr("“{name}” is here").format(name=model.name),
            self.tr("Use it"),
            partial(self._models.use, model.id),
        )

    def _ask_to_remove(self, model: str) -> None:
        row = self._models.row(model)
        if row is None or self._dialog is not None:
            return
        text = self.tr("It frees {size}. You can download it again.").format(
            size=words.size(row.size_bytes)
        )
        if self._models.in_use == model:
            text = self.tr("{text} The built-in one is used then.").format(text=text)
        dialog = ConfirmDialog(
            self.tr("Remove “{name}”?").format(name=row.name),
            text,
            self.tr("Remove"),
            danger=True,
            parent=self.window(),
        )
        self._dialog = dialog
        dialog.accepted.connect(lambda: self._models.remove(model))
        dialog.finished.connect(self._on_dialog_over)
        dialog.open()

    @property
    def dialog(self) -> ConfirmDialog | None:
        """The question before a model is removed."""
        return self._dialog

    def _on_dialog_over(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.deleteLater()

    def _on_removed(self, model: ModelRow) -> None:
        self.say(self.tr("“{name}” is removed").format(name=model.name))

    def _on_model_changed(self, model: str) -> None:
        self.model_changed.emit(model)
        if self.isVisible():
            self.say(self.tr("Your notes are prepared for it now. Search keeps working."))

    def _on_failed(self, error: DaybankError) -> None:
        self._mark_choice()
        if self.isVisible():
            self.say(f"{error.title} {error.message}".strip())

    # Ollama

    def _build_ollama(self) -> None:
        self.ollama_names = SelectBox(self.tr("Model of Ollama"))
        self.look_again = Button(self.tr("Look again"), small=True)
        self._ollama_used = _Mark("state.ok", "positive", self.tr("In use"))
        extra = QWidget()
        row = QHBoxLayout(extra)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self._ollama_used, self.ollama_names, self.look_again):
            row.addWidget(widget)
        self.ollama = RadioRow(self.tr("Ollama on this computer"), "", extra=extra)
        self._group.addButton(self.ollama.mark)
        self._card.add(self.ollama)
        self.look_again.clicked.connect(self._models.look_for_ollama)
        self.ollama.mark.clicked.connect(self._choose_ollama)
        self.ollama_names.chosen.connect(lambda _: self._choose_ollama())

    def _show_ollama(self, state: OllamaState) -> None:
        wanted = self._models.choosing or self._models.in_use
        mine = wanted.removeprefix(OLLAMA) if wanted.startswith(OLLAMA) else ""
        names = list(state.names)
        if mine and mine not in names:
            names.insert(0, mine)
        value = mine or self.ollama_names.value
        if value not in names:
            value = names[0] if names else ""
        if self.ollama_names.ids() != tuple(names):
            self.ollama_names.set_choices([(name, shown(name)) for name in names])
        self.ollama_names.set_value(value)
        self.ollama_names.setVisible(bool(names))
        is_used = self._models.in_use.startswith(OLLAMA) and not self._models.choosing
        self._ollama_used.setVisible(is_used and not state.problem)
        self.ollama.mark.setEnabled(bool(names))
        self.look_again.setEnabled(not state.is_looking)
        self.ollama.set_text(
            self.tr("Uses a model that you installed yourself. {state}")
            .format(state=self._ollama_words(state, is_used=is_used))
            .strip()
        )
        self._mark_choice()
        self.ollama.fit()

    def _ollama_words(self, state: OllamaState, *, is_used: bool) -> str:
        if self._models.choosing.startswith(OLLAMA):
            return self.tr("Trying it…")
        if state.is_looking:
            return self.tr("Looking…")
        if state.problem and is_used:
            return self.tr("{problem} The built-in one stands in.").format(problem=state.problem)
        if state.problem:
            return self.tr("Not running now.")
        if state.is_known and not state.names:
            return self.tr("It has no model yet.")
        return ""

    def _choose_ollama(self) -> None:
        name = self.ollama_names.value
        if name:
            self._choose(f"{OLLAMA}{name}")

    # The notes

    def _build_notes(self) -> None:
        card = self.add_group(self.tr("Your notes"))
        self.prepare = Button(self.tr("Prepare again"), icon="action.refresh", small=True)
        self.prepared = SettingRow("", "", self.prepare)
        self.mains = ToggleRow(
            self.tr("Only on mains power"),
            self.tr("Wait with heavy work while the laptop is on battery."),
        )
        card.add(self.prepared)
        card.add(self.mains)

    def _show_now(self) -> None:
        self._show_readiness(self._services.meaning.readiness)

    def _show_readiness(self, readiness: Readiness) -> None:
        title, text, button, icon = self._prepared_words(readiness)
        self.prepared.set_title(title)
        self.prepared.set_text(text)
        self.prepare.setText(button)
        self.prepare.set_icon_name(icon)
        self.prepare.setEnabled(
            self._services.meaning_rules.is_on and self._services.library.workspace is not None
        )

    def _prepared_words(self, readiness: Readiness) -> tuple[str, str, str, str]:
        """Title, sentence, the word on the button, and its icon."""
        again = (self.tr("Prepare again"), "action.refresh")
        phase, counted = readiness.phase, self._counted(readiness)
        if not self._services.meaning_rules.is_on:
            return self.tr("Off"), self.tr("Words are found. What is prepared is kept."), *again
        if self._services.library.workspace is None:
            return self.tr("No folder is open"), "", *again
        if phase is Phase.ON:
            text = self.tr(
                "After a change they are prepared again in the background. Search keeps working."
            )
            return counted, text, *again
        if phase is Phase.PREPARING:
            text = readiness.reason or self.tr("Search keeps working meanwhile.")
            return counted, text, self.tr("Pause"), "action.pause"
        if phase is Phase.PAUSED:
            waits = self._services.meaning_rules.waits
            text = self.tr("It waits for mains power.") if waits else self.tr("Paused.")
            return counted, text, self.tr("Go on"), "action.resume"
        if phase is Phase.OFF:
            text = readiness.reason or self.tr("Words are found.")
            return self.tr("Not ready"), text, self.tr("Try again"), "action.refresh"
        return self.tr("Not looked at yet"), self.tr("It begins soon after the start."), *again

    def _counted(self, readiness: Readiness) -> str:
        """Of each note some texts are prepared; people know notes."""
        overview = self._services.library.overview
        notes = overview.notes if overview is not None else 0
        if not readiness.total:
            return self.tr("Nothing to prepare yet")
        done = notes * readiness.done // readiness.total
        return self.tr("Prepared: {done} of {notes}").format(
            done=phrases.count(done), notes=phrases.notes_count(notes)
        )

    def _on_prepare(self) -> None:
        meaning = self._services.meaning
        phase = meaning.readiness.phase
        if phase is Phase.PREPARING:
            meaning.pause()
            return
        meaning.resume()
        if phase is Phase.ON:
            self.say(self.tr("Notes that are not prepared yet are prepared now"))

    # The switch

    def _on_switched(self, is_on: bool) -> None:
        self._show_switch()
        self.by_meaning_switched.emit(is_on)

    def _show_switch(self) -> None:
        rules = self._services.meaning_rules
        self.switch.set_on(rules.is_on)
        self.mains.toggle.setChecked(not rules.also_on_battery)
        self._show_now()


class _Switch(QWidget):
    """The switch of all of it, with its word."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.toggle = Toggle(name)
        self._word = Label("", "body")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._word)
        row.addWidget(self.toggle)

    def set_on(self, is_on: bool) -> None:
        self.toggle.setChecked(is_on)
        self._word.setText(self.tr("On") if is_on else self.tr("Off"))
        self._word.updateGeometry()


class _Mark(QWidget):
    """An icon and a strong word in its colour."""

    def __init__(self, icon: str, color: str, text: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(Glyph(icon, color, 16))
        row.addWidget(Label(text, "bodyStrong", color))


class ModelPanel(QWidget):
    """What can be done with a model just now, at the right of its row."""

    download_asked = Signal()
    pause_asked = Signal()
    resume_asked = Signal()
    stop_asked = Signal()
    remove_asked = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._theme = Theme.of(self)
        self.resized: Callable[[], None] | None = None
        self.used = _Mark("state.ok", "positive", self.tr("In use"))
        self.trying = Label(self.tr("Trying it…"), "small", "text.secondary")
        self.get = Button("", icon="action.export", small=True)
        self.bar = ProgressBar(_BAR)
        self.bar.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        self._percent = Label("", "captionStrong", tabular=True)
        self._offline = Glyph("state.offline", "text.secondary", 14)
        self._words = Label("", "caption", "text.secondary", wrap=True, tabular=True)
        self.pause = Button(self.tr("Pause"), "link", small=True)
        self.go_on = Button(self.tr("Go on"), "link", small=True)
        self.stop = Button(self.tr("Stop"), "link", small=True)
        self.remove = Button(self.tr("Remove"), "link", small=True)
        self._lay_out()
        for button, word in (
            (self.pause, self.tr("Pause the download of {name}")),
            (self.go_on, self.tr("Go on with the download of {name}")),
            (self.stop, self.tr("Stop the download of {name}")),
            (self.remove, self.tr("Remove {name}")),
        ):
            button.setAccessibleName(word.format(name=name))
        self.get.clicked.connect(self.download_asked)
        self.pause.clicked.connect(self.pause_asked)
        self.go_on.clicked.connect(self.resume_asked)
        self.stop.clicked.connect(self.stop_asked)
        self.remove.clicked.connect(self.remove_asked)

    def _lay_out(self) -> None:
        self._progress = QWidget()
        upper = QHBoxLayout()
        upper.setSpacing(8)
        upper.addWidget(self.bar)
        upper.addWidget(self._percent)
        self._line = QWidget()
        lower = QHBoxLayout(self._line)
        lower.setContentsMargins(0, 0, 0, 0)
        lower.setSpacing(0)
        lower.addWidget(self._offline)
        lower.addWidget(self._words, 1)
        for button in (self.pause, self.go_on, self.stop):
            lower.addWidget(button)
        box = QVBoxLayout(self._progress)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(upper)
        box.addWidget(self._line)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self.remove, self.trying, self.used, self.get, self._progress):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def words(self) -> str:
        return self._words.text()

    @property
    def percent(self) -> str:
        return self._percent.text()

    def show_state(
        self,
        model: ModelRow,
        download: Download | None,
        *,
        in_use: bool,
        trying: bool,
        is_busy: bool,
    ) -> None:
        """``is_busy``: another model is being fetched, and one is fetched at a time."""
        is_here = model.state == "installed"
        focused = next((b for b in (self.get, self.pause, self.go_on) if b.hasFocus()), None)
        self.used.setVisible(is_here and in_use and not trying)
        self.trying.setVisible(trying)
        self.remove.setVisible(is_here and model.is_fetched and not trying)
        self.get.setVisible(not is_here and download is None and model.is_fetched)
        self.get.setText(self._get_word(model))
        self.get.setAccessibleName(f"{self._get_word(model)}: {self._name}")
        self.get.setEnabled(not is_busy)
        hint = self.tr("One download at a time") if is_busy else ""
        self.get.setToolTip(hint)
        self.get.setAccessibleDescription(hint)
        self._progress.setVisible(download is not None)
        if download is not None:
            self._show_download(download)
        self.setVisible(in_use or trying or model.is_fetched)
        if focused is not None and not focused.isVisible():
            wanted = (self.pause, self.go_on, self.get, self.remove)
            heir = next((button for button in wanted if button.isVisible()), None)
            if heir is not None:
                heir.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.resized is not None:
            self.resized()

    def _get_word(self, model: ModelRow) -> str:
        if model.state == "partial":
            return self.tr("Download the rest")
        if model.state == "damaged":
            return self.tr("Download again")
        return self.tr("Download")

    def _show_download(self, download: Download) -> None:
        phase = download.phase
        self.bar.set_share(download.done / download.total if download.total else 0.0)
        self._percent.setText(words.percent(download.percent) if download.total else "")
        self._percent.updateGeometry()
        counted = words.arrived(download.done, download.total) if download.total else ""
        text = counted
        if phase in (DownloadPhase.WAITING, DownloadPhase.FAILED):
            text = download.reason
        elif phase is DownloadPhase.RUNNING and not counted:
            text = self.tr("Asking…")
        elif phase is DownloadPhase.PAUSED:
            text = (
                self.tr("Paused, {amount}").format(amount=counted) if counted else self.tr("Paused")
            )
        self._words.setText(text)
        self._words.set_color("negative" if phase is DownloadPhase.FAILED else "text.secondary")
        self._offline.setVisible(phase is DownloadPhase.WAITING)
        self._words.setContentsMargins(5 if phase is DownloadPhase.WAITING else 0, 0, 0, 0)
        self.pause.setVisible(phase is DownloadPhase.RUNNING)
        self.go_on.setVisible(phase is not DownloadPhase.RUNNING)
        self.go_on.setText(
            self.tr("Go on") if phase is DownloadPhase.PAUSED else self.tr("Try again")
        )
        said = " ".join(part for part in (self._percent.text(), text) if part)
        self.bar.setAccessibleName(self.tr("Download of {name}").format(name=self._name))
        self.bar.setAccessibleDescription(said)
