"""How people ask for a topic: the words of a request that are not what it asks for.

`I am looking for pages about coral bleaching`: what comes before *coral* only says that something is wanted. Such words
count for nothing at the beginning of a clause, and there alone: `pages about search engines` is about search engines.
"""

from __future__ import annotations

from msgspec import Struct


class RequestWords(Struct, frozen=True):
    me: frozenset[str]  # who asks
    asking: frozenset[str]  # what is done to get it, and in which form it should come
    about: frozenset[str]  # what only joins a request and its topic: `pages about ferns`
    joints: frozenset[str]  # what may, and may be part of a name: `Web of Science`
    filling: frozenset[str]  # words that say nothing anywhere
    other: tuple[tuple[str, ...], ...]  # what says that the rest of the clause is not meant


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _made(me: str, asking: str, about: str, joints: str, filling: str, other: str) -> RequestWords:
    phrases = tuple(tuple(phrase.split()) for phrase in other.split(",") if phrase)
    return RequestWords(_words(me), _words(asking), _words(about), _words(joints), _words(filling), phrases)


REQUESTS = {
    "en": _made(
        me="i we me us my our",
        asking="""look looking search searching seek seeking find finding want wants wanted wish need needs like love
        interested interest learn know read see get give show tell help collect gather crawl fetch bring
        page pages webpage webpages site sites website websites article articles text texts document documents
        information info material resources sources news everything anything something all kind kinds sort sorts
        thing things topic topics subject related relating concerning regarding dealing deal please m d""",
        about="about regarding concerning",
        joints="on of",
        filling="""especially particularly particular mainly mostly preferably example instance please really
        etc general generally""",
        other="but not,and not,not about,except,excluding,other than,rather than,apart from",
    ),
    "de": _made(
        me="ich wir mich mir uns",
        asking="""suche suchen such finde finden möchte möchten will wollen brauche interessiere interessieren lesen
        wissen lernen erfahren sammle sammeln zeig zeige gib hol seite seiten webseite webseiten website websites
        artikel texte text informationen information infos material quellen alles etwas mehr thema themen bitte""",
        about="über",
        joints="zu zum zur von rund um",
        filling="besonders insbesondere vor allem vorallem bitte wie was wenn ob allgemein macht machen gibt",
        other="aber nicht,und nicht,nicht über,außer,ausgenommen,ohne die,sondern",
    ),
    "fr": _made(
        me="je j nous me moi m",
        asking="""cherche cherchons recherche recherchons voudrais voudrions veux voulons aimerais intéresse intéressent
        trouver trouve lire savoir apprendre connaître page pages site sites article articles texte textes document
        documents information informations tout toutes quelque chose sujet sujets plus""",
        about="sur concernant",
        joints="propos de des du",
        filling="surtout notamment particulièrement particulier exemple fait font quoi comment",
        other="mais pas,et pas,pas sur,sauf,hormis,excepté",
    ),
    "es": _made(
        me="yo nosotros me nos mi",
        asking="""busco buscamos buscando quiero queremos quisiera necesito gustaría interesa interesan encontrar leer
        saber aprender conocer estoy página páginas sitio sitios web artículo artículos texto textos documentos
        información todo toda algo tema temas más""",
        about="sobre acerca",
        joints="de del relacionado relacionados con",
        filling="especialmente sobretodo particularmente particular ejemplo hace hacen qué cómo",
        other="pero no,y no,no sobre,excepto,salvo",
    ),
    "it": _made(
        me="io noi mi ci",
        asking="""cerco cerchiamo cercando voglio vogliamo vorrei interessa interessano trovare leggere sapere imparare
        sto conoscere pagina pagine sito siti articolo articoli testo testi documenti informazioni tutto qualcosa tema
        argomento più""",
        about="su sul sulla sulle sui sugli sullo riguardo",
        joints="di del della",
        filling="soprattutto particolarmente particolare esempio fa fanno cosa come",
        other="ma non,e non,non su,tranne,eccetto",
    ),
    "pt": _made(
        me="eu nós me nos",
        asking="""procuro procuramos procurando busco buscamos quero queremos gostaria preciso interessa interessam
        estou encontrar ler saber aprender conhecer página páginas site sites sítio sítios artigo artigos texto textos
        documentos informação informações tudo algo tema mais""",
        about="sobre acerca",
        joints="de do da relacionado relacionados com",
        filling="especialmente sobretudo principalmente particular exemplo faz fazem como",
        other="mas não,e não,não sobre,exceto,salvo",
    ),
    "nl": _made(
        me="ik wij we mij me ons",
        asking="""zoek zoeken wil willen graag vind vinden interesseer lezen weten leren pagina paginas pagina's
        site sites website websites webpagina artikel artikelen tekst teksten informatie alles iets onderwerp meer""",
        about="over omtrent",
        joints="van rond",
        filling="vooral voornamelijk bijzonder voorbeeld doet doen wat hoe",
        other="maar niet,en niet,niet over,behalve,uitgezonderd",
    ),
}

NONE = _made("", "", "", "", "", "")
"""Of languages whose way of asking is not known: stop words and frequent words are left out all the same."""
