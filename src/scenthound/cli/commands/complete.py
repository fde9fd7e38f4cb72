"""What the shell completes. Each name is looked up when the shell asks, since that imports whatever has one."""

from __future__ import annotations


def strategies() -> list[str]:
    from scenthound import registry

    return registry.strategy.names()


def judges() -> list[str]:
    from scenthound import registry

    return registry.judge.names()


def trainable() -> list[str]:
    from scenthound.app.strategies import trainable

    return trainable()


def revisit_policies() -> list[str]:
    from scenthound.app.revisit import policies

    return policies()
