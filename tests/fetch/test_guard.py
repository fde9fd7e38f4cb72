"""Every address a crawler must not ask, in every notation we could think of."""

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.fetch.guard import AddressGuard, AddressRefused, GuardedResolver, is_literal
from scenthound.fetch.resolve import StaticResolver


def words(text: str) -> list[str]:
    return text.split()


PRIVATE = words("""
127.0.0.1 127.1.2.3 127.255.255.255 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255
169.254.0.1 169.254.255.255 100.64.0.1 100.127.255.255 ::1 [::1] 0:0:0:0:0:0:0:1 fc00::1 fd12:3456::1 fe80::1
fe80::1%eth0 febf::1 fec0::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::FFFF:192.168.1.1 2002:7f00:1::
2002:7f00:0001::1 2002:c0a8:101::1 2002:a00:1::1 64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a00:1
::ffff:0:127.0.0.1 ::ffff:0:10.1.1.1 2001:0:0a00:1:0:0:f7f7:f7f7 2001:0:808:808:0:0:80ff:fffe 2606:4700::5efe:a00:1
2606:4700::200:5efe:7f00:1
""")
NEVER = words("""
0.0.0.0 0.1.2.3 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1
239.255.255.255 240.0.0.1 255.255.255.255 :: 0:0:0:0:0:0:0:0 ff02::1 ff0e::1 2001:db8::1 3fff::1 2001:2::1 2001:10::1
64:ff9b:1::1 ::ffff:0.0.0.0 ::ffff:224.0.0.1 2002:e000:1:: ::8.8.8.8 ::7f00:1 100::1 4000::1 5f00::1 64:ff9b::0.0.0.0
169.254.169.254 169.254.170.2 168.63.129.16 100.100.100.200 192.0.0.192 fd00:ec2::254 FD00:EC2::254 fd20:ce::254
::ffff:169.254.169.254 ::ffff:a9fe:a9fe 64:ff9b::169.254.169.254 2002:a9fe:a9fe::
""")
NOT_PLAIN = words("""
0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 127.1 127.0.1 0 1 127.0.0.1. 08.8.8.8 8.8.8.08 0x08080808
134744072 8.8.8 1.2.3.4.5 256.1.1.1 -1.1.1.1 ::g 1::2::3 localhost example.org 8.8.8.8/32 ::ffff:127.1 127。0。0。1
""")
NOT_PLAIN += ["", " ", "127.0.0.1 ", " 8.8.8.8", "8.8.8.8\n", "１２７.0.0.1"]
PUBLIC = words("""
8.8.8.8 1.1.1.1 93.184.216.34 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.1 192.167.255.255 223.255.255.255
2606:4700::1111 [2a00:1450:4001::1] 2001:4860:4860::8888 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1
""")


@pytest.mark.parametrize("ip", PRIVATE + NEVER + NOT_PLAIN)
def test_refused_by_default(ip: str) -> None:
    assert AddressGuard().refuses(ip)


@pytest.mark.parametrize("ip", PUBLIC)
def test_the_public_web_may_be_asked(ip: str) -> None:
    assert AddressGuard().refuses(ip) is None


@pytest.mark.parametrize("ip", PRIVATE + PUBLIC)
def test_the_operator_may_allow_private_addresses(ip: str) -> None:
    assert AddressGuard(allow_private=True).refuses(ip) is None


@pytest.mark.parametrize("ip", NEVER + NOT_PLAIN)
def test_some_are_refused_whatever_the_operator_says(ip: str) -> None:
    assert AddressGuard(allow_private=True).refuses(ip)


@given(st.text())
def test_any_text_gets_an_answer(text: str) -> None:
    AddressGuard().refuses(text)


@given(st.ip_addresses(v=4, network="10.0.0.0/8") | st.ip_addresses(v=4, network="127.0.0.0/8"))
def test_wrapping_hides_nothing(address: object) -> None:
    number = int(address)  # type: ignore[call-overload]
    high, low = number >> 16, number & 0xFFFF
    for wrapped in (f"::ffff:{address}", f"64:ff9b::{address}", f"2002:{high:x}:{low:x}::1", f"::ffff:0:{address}"):
        assert AddressGuard().refuses(wrapped), wrapped


async def test_a_name_keeps_only_its_public_addresses() -> None:
    inner = StaticResolver([".test"], ["10.0.0.1", "8.8.8.8", "::1"])
    found = await GuardedResolver(inner, AddressGuard()).resolve("mixed.test", 80)
    assert [answer["host"] for answer in found] == ["8.8.8.8"]


async def test_a_name_with_none_is_refused() -> None:
    inner = StaticResolver([".test"], ["10.0.0.1", "::1"])
    with pytest.raises(AddressRefused, match=r"inner.test is 10.0.0.1: private"):
        await GuardedResolver(inner, AddressGuard()).resolve("inner.test", 80)


async def test_an_unknown_name_stays_unknown() -> None:
    with pytest.raises(socket.gaierror):
        await GuardedResolver(StaticResolver([".test"]), AddressGuard()).resolve("elsewhere.example", 80)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "0x7f.1", "2130706433", "1.2.3.0x4", "127.0.0.1.", "a.b.09"])
def test_numbers_are_literals(host: str) -> None:
    assert is_literal(host)


@pytest.mark.parametrize("host", ["example.org", "1.example", "a1", "10.in-addr.arpa", "", "xn--bcher-kva"])
def test_names_are_not(host: str) -> None:
    assert not is_literal(host)
