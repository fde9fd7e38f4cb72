"""What labelled sites have taught: the page classifier, whether it helps, and which labels it was learned from."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import msgspec
from msgspec import Struct, field

from scenthound.config import Config
from scenthound.sites.classifier import PageClassifier
from scenthound.sites.evidence import ClassifierEvidence, JointEvidence, PageEvidence, topic_evidence
from scenthound.sites.label_check import LabelCheck


class TaughtSites(Struct, frozen=True):
    """`check` is None where nobody asked whether it helps: then the classifier speaks alone, as the document has it."""

    classifier: PageClassifier
    check: LabelCheck | None = None
    labels: Mapping[str, bool] = field(default_factory=dict)  # by the site's name
    setting: str = ""  # stands for the topic and the judge that the check was made with

    @property
    def used(self) -> bool:
        return self.check is None or (self.check.helps and not self.check.early)


def setting_of(config: Config) -> str:
    """What else than labels decides about the check, as a few digits."""
    sites: tuple[object, ...] = (config.sites.kind, config.sites.p_err, config.sites.p_threshold)
    if config.sites.published:
        sites += ("published",)
    said = msgspec.json.encode((config.topic, config.crawl.judge, config.crawl.threshold, config.crawl.idf, sites))
    return blake2b(said, digest_size=6).hexdigest()


def evidence_of(config: Config, taught: TaughtSites | None) -> PageEvidence:
    """How the pages of a crawl with these settings are read."""
    topic = topic_evidence(config)
    if taught is None or not taught.used:
        return topic
    classifier = ClassifierEvidence(taught.classifier)
    return classifier if taught.check is None else JointEvidence(topic, classifier)
