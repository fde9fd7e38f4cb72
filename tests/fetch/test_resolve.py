"""Names to addresses, by the system and by a table."""

import socket

import pytest

from scenthound.fetch.resolve import StaticResolver, SystemResolver


async def test_the_system_knows_this_machine() -> None:
    resolver = SystemResolver(2)
    found = await resolver.resolve("localhost", 80)
    await resolver.close()
    assert {answer["host"] for answer in found} <= {"127.0.0.1", "::1"}
    assert {answer["port"] for answer in found} == {80}


async def test_the_table_answers_for_its_suffixes_only() -> None:
    resolver = StaticResolver([".test"], port=8080)
    (found,) = await resolver.resolve("Gardens.TEST.", 80)
    assert (found["host"], found["port"], found["family"]) == ("127.0.0.1", 8080, socket.AF_INET)
    with pytest.raises(socket.gaierror):
        await resolver.resolve("gardens.test.example", 80)


async def test_the_rest_may_be_someone_elses_business() -> None:
    resolver = StaticResolver([".test"], fallback=StaticResolver([".example"], "::1"))
    (found,) = await resolver.resolve("a.example", 443)
    assert (found["host"], found["port"], found["family"]) == ("::1", 443, socket.AF_INET6)
    await resolver.close()
