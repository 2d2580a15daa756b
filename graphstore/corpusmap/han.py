"""Chinese names, basic: persons by surname and context, organisations and titles by their form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphstore.corpusmap.patterns import SURNAMES, Found
from graphstore.corpusmap.types import ORGANISATION, PERSON, TOPIC

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_DOUBLE = "欧阳|司马|上官|诸葛|东方|夏侯|皇甫|尉迟|公孙|慕容"
_BEFORE = (
    rf"(?:(?<![{_HAN}])|(?<=[、和与由请经])|(?<=经理)|(?<=总监)|(?<=主管)|(?<=同事)|(?<=负责人)|(?<=联系)|(?<=专员)"
    r"|(?<=工程师))"
)
_AFTER = (
    r"(?=[、，。；：,.:;()（）<\s]|$|先生|女士|经理|总监|表示|说|负责|提出|提交|要求|认为|指出|将|和|与|已|在|确认"
    r"|批准|同意|审批|完成|的|于|主持|汇报|建议|申请|会)"
)
_PERSON = re.compile(rf"{_BEFORE}(?:(?:{_DOUBLE})[{_HAN}]{{1,2}}?|[{SURNAMES}][{_HAN}]{{1,2}}?){_AFTER}")
_PARTICLES = "由与和向在对从为将请给及是的经了到"
_ORGANISATION = re.compile(
    rf"(?:(?<![{_HAN}])|(?<=[{_PARTICLES}]))(?P<name>(?:(?![{_PARTICLES}着过会])[{_HAN}]){{1,10}}?"
    rf"(?:有限公司|公司|集团|银行|大学|研究院|委员会|事务所|部(?!门)))(?![{_HAN}]*公司)"
)
_TITLE = re.compile(r"《(?P<name>[^《》\n]{2,40})》")
_NOT_PERSONS = frozenset(
    """
    高级 高效 高度 方案 方式 方面 任务 任何 金额 向上 向下 白名单 程序 程度 万一 于是
    于此 马上 何时 何人 严重 严格 石油 江苏 江西 田间 常见 段落 周一 周二 周三 周四 周五
    周六 周日 周期 周报 周会 黄色 钱款 高风险 高优先 任命 陈述 许可 许多 应用 孔径 毛利
    任意 余额 时间 付款 付费 方法 方向 夏季 秦汉 白天 龙头 顾客 顾问 计划 成本 成员 范围
    曾经 贺信 史料 万元 金融 胡同 康复 尹始 高管 周边 周末
    """.split()  # noqa: SIM905 - read as prose
)
_RANKS = ("经理", "总监", "主管", "先生", "女士", "老师", "总", "工")
_NOT_ORGANISATIONS = frozenset(
    "公司 本公司 该公司 我公司 贵公司 全部 内部 外部 各部 本部 总部 一部 大部".split()  # noqa: SIM905 - read as prose
)


def chinese_names(text: str) -> Iterator[Found]:
    """Persons, organisations and cited titles of a Chinese text."""
    for found in _TITLE.finditer(text):
        yield Found(found.start("name"), found.end("name"), TOPIC)
    for found in _ORGANISATION.finditer(text):
        if found["name"] not in _NOT_ORGANISATIONS and not found["name"].endswith(("全部", "内部", "外部")):
            yield Found(found.start("name"), found.end("name"), ORGANISATION)
    for found in _PERSON.finditer(text):
        if found.group() not in _NOT_PERSONS and not found.group().endswith(_RANKS):
            yield Found(found.start(), found.end(), PERSON)


def han_share(text: str) -> float:
    """Share of Chinese, Japanese or Korean characters among the letters of a text, in [0, 1]."""
    letters = sum(char.isalpha() for char in text)
    han = sum("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" for char in text)
    return han / letters if letters else 0.0
