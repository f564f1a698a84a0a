"""Everyday words of English that a question has and code need not have. `search.confidence` never calls one absent."""

from __future__ import annotations

from typing import Final

from codeexplore.text.tokens import STOP_WORDS, stem

_WORDS = """
about above across actually add after afterwards again against ago all allow almost alone along already also although
always among another any anybody anyone anything anyway anywhere apart apply around ask avoid away back bad because
become before begin behave behind below beside besides best better between beyond big bit both bottom break brief bring
build calculate call care carry case cause certain change check choose clear close come common compare compute consist
contain control convert count cover create cut day deal decide define delete depend describe determine differ different
difficult do down draw drop during each early easily easy either else elsewhere end enough ensure enter especially even
ever every everybody everyone everything everywhere exact exactly example exist expect explain extra fail far fast
fetch few figure fill finally find fine finish first fix follow forget former free front full further gather get give
go good great grow guess half hand handle happen hard help here hide high hold home hour human idea identify ignore
implement important improve include increase indicate inform inside instead interesting internal invoke involve job
just keep kind know large last late later lead learn least leave less let letter lie like likely line list little live
locate long look lose lot low main maintain make manage many matter maybe mean meanwhile meet minute miss mistype
moment month more most move much name near nearby necessary need needed neither never new news next nice nobody none
normal normally not nothing notice nowhere number occur odd off offer often old once one only open opposite organise
organize other otherwise out outside over own pair parse part particular pass past people perhaps person pick piece
place plain play plus point possible possibly prepare present pretty prevent previous probably problem process produce
proper protect prove provide pull purpose push put quick quickly quite rather reach read ready real realise realize
really reason receive recent recognise recognize reduce refer refuse regular relate rely remain remember remove replace
represent require resolve respond rest return rid right room round run same save say search second see seem select send
separate serve set several share short show side simple simply single skip slow slowly small so solve some somebody
somehow someone something sometimes somewhere soon sort special split stand start stay stick still stop store straight
strange such sudden suddenly support suppose sure survive switch take talk tell test thing think third though three
through throw thus time today together tomorrow too top total toward treat trigger true try turn twice two under
understand unless until up update upon use useful user usual usually various vary verify very via wait walk want warn
watch way week well whole wide without wonder word work worry write wrong year yes yesterday yet young
became began begun broke broken brought built came chose chosen dealt did does doing done drawn drew fell felt forgot
forgotten gave given goes going gone got gotten grew grown heard held hid hidden kept knew known laid led left lost made
meant met put ran said saw seen sent shown spent stood stuck taken thought threw thrown told took understood went
written wrote
"""
EVERYDAY: Final = frozenset(map(stem, (*_WORDS.split(), *STOP_WORDS)))
"""Stems of everyday verbs, pronouns, adverbs, adjectives and nouns of time, amount and order, and stop words."""
