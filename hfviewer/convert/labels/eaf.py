"""ELAN's annotation files: tiers of one track and author each, to the millisecond.

A tier of ELAN holds no overlaps, so labels that overlap are spread over several tiers. A property in the
header says which track each tier belongs to, so that nothing hangs on the tier's name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from hfviewer.convert.labels.base import NS_PER_MS, LabelContext, LabelFile, lost, not_whole, rounded, text_of
from hfviewer.core.annotation import Annotation, AnnotationSet
from hfviewer.core.errors import ConversionError

_PROPERTY = "hfviewer:track:"
_LASTS, _INSTANT = "a_", "i_"
_XML_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"
_SCHEMA_KEY = "{http://www.w3.org/2001/XMLSchema-instance}noNamespaceSchemaLocation"


class ElanLabels:
    """One tier per track and author."""

    name = "eaf"
    suffixes: tuple[str, ...] = (".eaf",)

    def encode(self, annotations: AnnotationSet, context: LabelContext) -> tuple[bytes, list[str]]:
        ET.register_namespace("xsi", "http://www.w3.org/2001/XMLSchema-instance")
        root = ET.Element(
            "ANNOTATION_DOCUMENT",
            {
                "AUTHOR": "",
                "DATE": datetime.now(UTC).isoformat(timespec="seconds"),
                "FORMAT": "3.0",
                "VERSION": "3.0",
                _SCHEMA_KEY: _SCHEMA,
            },
        )
        header = ET.SubElement(root, "HEADER", {"MEDIA_FILE": "", "TIME_UNITS": "milliseconds"})
        times = ET.SubElement(root, "TIME_ORDER")
        slots: list[int] = []
        names: set[str] = set()
        early = 0
        for (track, author), group in _groups(annotations).items():
            for part in _apart(group):
                tier_name = _free_name(_clean(track if not author else f"{track} ({author})"), names)
                names.add(tier_name)
                ET.SubElement(header, "PROPERTY", {"NAME": _PROPERTY + tier_name}).text = _clean(track)
                tier = ET.SubElement(
                    root, "TIER", {"LINGUISTIC_TYPE_REF": "default-lt", "TIER_ID": tier_name}
                )
                if author:
                    tier.set("ANNOTATOR", _clean(author))
                for a in part:
                    start_ms, end_ms = _span_ms(a, context.start_ns)
                    if start_ms < 0:
                        early += 1
                        continue
                    refs = {f"TIME_SLOT_REF{1 + i}": f"ts{len(slots) + 1 + i}" for i in range(2)}
                    slots += [start_ms, end_ms]
                    prefix = _INSTANT if a.is_instant else _LASTS
                    element = ET.SubElement(ET.SubElement(tier, "ANNOTATION"), "ALIGNABLE_ANNOTATION")
                    element.attrib.update({"ANNOTATION_ID": prefix + _clean(a.id), **refs})
                    ET.SubElement(element, "ANNOTATION_VALUE").text = _clean(a.label)
        for slot_ms, number in sorted((slot_ms, number) for number, slot_ms in enumerate(slots, 1)):
            ET.SubElement(times, "TIME_SLOT", {"TIME_SLOT_ID": f"ts{number}", "TIME_VALUE": str(slot_ms)})
        ET.SubElement(
            root,
            "LINGUISTIC_TYPE",
            {"GRAPHIC_REFERENCES": "false", "LINGUISTIC_TYPE_ID": "default-lt", "TIME_ALIGNABLE": "true"},
        )
        ET.indent(root)
        fine = {"times finer than a millisecond": not_whole(NS_PER_MS, context.start_ns)}
        told = lost(annotations, "notes", "attributes", "status", "frame numbers", others=fine)
        if early:
            told.append(f"Left out: {early} before the start of the recording.")
        return ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n", told

    def decode(self, data: bytes, context: LabelContext) -> LabelFile:
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            raise ConversionError("This ELAN file defines entities, which none needs; it is not read.")
        if "\0" in text_of(data, "an ELAN file"):  # UTF-16 without a mark, in which no entity was looked for
            raise ConversionError("This is not an ELAN file: it is not UTF-8 text.")
        try:
            root = ET.fromstring(data)
        except (ET.ParseError, ValueError) as error:
            raise ConversionError(f"This is not an ELAN file: {error}.") from error
        if root.tag != "ANNOTATION_DOCUMENT":
            raise ConversionError(f"This is not an ELAN file: it begins with {root.tag[:60]!r}.")
        slots = {
            slot.get("TIME_SLOT_ID"): int(slot.get("TIME_VALUE", ""))
            for slot in root.iterfind("TIME_ORDER/TIME_SLOT")
            if re.fullmatch(r"\d{1,12}", slot.get("TIME_VALUE", ""))
        }
        tracks = {
            str(prop.get("NAME")).removeprefix(_PROPERTY): prop.text or ""
            for prop in root.iterfind("HEADER/PROPERTY")
            if str(prop.get("NAME")).startswith(_PROPERTY)
        }
        found: list[Annotation] = []
        problems: list[str] = []
        for tier in root.iterfind("TIER"):
            name = tier.get("TIER_ID", "")
            track = (tracks.get(name) or name).strip() or context.track
            references = len(tier.findall("ANNOTATION/REF_ANNOTATION"))
            if references:
                problems.append(
                    f"Tier {name!r}: {references} annotations without times of their own are left out."
                )
            for element in tier.iterfind("ANNOTATION/ALIGNABLE_ANNOTATION"):
                start_ms = slots.get(element.get("TIME_SLOT_REF1"))
                end_ms = slots.get(element.get("TIME_SLOT_REF2"))
                label = " ".join((element.findtext("ANNOTATION_VALUE") or "").split())
                if start_ms is None or end_ms is None or end_ms < start_ms or not label:
                    problems.append(f"Tier {name!r}: an annotation without times or text is left out.")
                    continue
                key = element.get("ANNOTATION_ID", "")
                ours = name in tracks and key.startswith((_LASTS, _INSTANT))
                if ours and key.startswith(_INSTANT):
                    end_ms = start_ms
                found.append(
                    Annotation(
                        id=key[2:] if ours else "",
                        track=track,
                        label=label,
                        start_ns=context.start_ns + start_ms * NS_PER_MS,
                        end_ns=context.start_ns + end_ms * NS_PER_MS,
                        author=tier.get("ANNOTATOR") or context.author,
                    )
                )
        return LabelFile(
            annotations=found,
            problems=problems,
            carried=frozenset({"id", "track", "label", "start_ns", "end_ns", "author"}),
            precision_ns=NS_PER_MS,
        )


def _groups(annotations: AnnotationSet) -> dict[tuple[str, str], list[Annotation]]:
    groups: dict[tuple[str, str], list[Annotation]] = {}
    for a in annotations.in_order():
        groups.setdefault((a.track, a.author), []).append(a)
    return groups


def _apart(group: Sequence[Annotation]) -> list[list[Annotation]]:
    """As few rows as it takes for none to overlap another one in its row; in the order of time."""
    rows: list[list[Annotation]] = []
    for a in group:
        row = next((row for row in rows if _end_ns(row[-1]) <= a.start_ns), None)
        if row is None:
            rows.append([a])
        else:
            row.append(a)
    return rows


def _end_ns(a: Annotation) -> int:
    return max(a.end_ns, a.start_ns + NS_PER_MS) + NS_PER_MS


def _span_ms(a: Annotation, start_ns: int) -> tuple[int, int]:
    start_ms, end_ms = (rounded(t - start_ns, NS_PER_MS) for t in (a.start_ns, a.end_ns))
    return start_ms, max(end_ms, start_ms + 1)  # ELAN knows no instants


def _free_name(name: str, taken: set[str]) -> str:
    number = 2
    free = name
    while free in taken:
        free = f"{name} {number}"
        number += 1
    return free


def _clean(text: str) -> str:
    return _XML_TEXT.sub("\ufffd", text)
