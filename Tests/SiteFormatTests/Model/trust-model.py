#!/usr/bin/env python3
"""Searches all states of a small model of the trust protocol in docs/reference/trust.md.

  trust-model.py                      search with the present rules; status 1 and a trace if a promise is broken
  trust-model.py --rules 233fb599     search with the rules of release 233fb599, which break two promises
  trust-model.py --traces 100         also print traces as lines of JSON, which TrustModelTests replays in Swift
  trust-model.py --states 100000      visit at most so many states; the default visits all of them

The parties are

- the publisher, who publishes, signs again, changes the release key, renews key documents and recovers;
- the bucket, whose owner may give each reader any statement that was ever signed, with the key documents up to any
  one of them. He may not sign;
- the thief, who gets the release key of the moment, and signs any number and any version of a key document with it,
  before or after its removal. He does not get the keys that sign key documents: against them nothing helps but an app
  update;
- two readers. Each keeps a memory. An update of the app pins a later document, and the two memories may be merged, as
  those of two processes are.

There is no time: docs/reference/trust.md says how long each power lasts, and ReplayAttackTests has the clocks. All identifiers
are small numbers: a release's content is the number of its publication, and `EVIL` is any content of the thief.
"""

import argparse
import functools
import json
import sys
from typing import NamedTuple

EVIL = 0
NOTHING = -1


class Bounds(NamedTuple):
    documents: int = 4
    publications: int = 4
    number: int = 5
    thefts: int = 2


class Document(NamedTuple):
    key: int  # the only key of the roles `release` and `fresh`
    floor: int  # the number of `floors.release`; 0 if this document is no recovery


class Statement(NamedTuple):
    """A statement of either type about a config: its number and content, the document that it names, and its key."""

    number: int
    content: int
    keys: int
    signer: int


class World(NamedTuple):
    """The publisher, the bucket, and what the thief knows."""

    documents: tuple  # from version 1
    last: int  # the number of the publisher's last release
    live: tuple  # the number and content of the publisher's newest release
    epochs: tuple  # the number of recoveries before each publication
    releases: frozenset
    fresh: frozenset
    stolen: frozenset
    mustRecover: bool  # a recovery was made, and nothing published since


class Memory(NamedTuple):
    """A reader's `TrustMemory`, and the newest publication that it ever accepted, which only the promises read."""

    document: int
    release: int
    config: int
    recovery: int
    newest: int


class Broken(Exception):
    """A promise is broken; the second argument is the number and content of the config that a reader accepted."""


# MARK: Readers: the steps of `TrustMemory`


def last_recovery(documents, version):
    """The version of the last recovery up to a document, which later documents repeat; 0 without one."""
    return next((v for v in range(version, 0, -1) if documents[v - 1].floor), 0)


def trust(memory, documents, version):
    """Replaces the trusted document by a later one, by adoption or by an update of the app."""
    recovery = last_recovery(documents, version)
    if recovery <= memory.document:
        return memory._replace(document=version)
    floor = documents[recovery - 1].floor
    return memory._replace(document=version, release=floor, config=NOTHING, recovery=recovery)


def verify(rules, memory, documents, count, release, fresh):
    """Returns the outcome of a config with key documents up to the version `count`, and the memory after it."""
    for version in range(memory.document + 1, count + 1):
        memory = trust(memory, documents, version)
    key = documents[memory.document - 1].key
    least = required_document(rules, memory, documents)
    for statement in (release, fresh):
        if statement.signer != key:
            return "tooFewSignatures", memory
        if statement.keys > memory.document:
            return "withheldDocument", memory
        if statement.keys < least:
            return "beforeRecovery", memory
    reason = refusal(memory, release.number, release.content)
    if reason:
        return reason, memory
    return "accepted", accepted(memory, release.number, release.content)


def required_document(rules, memory, documents):
    """The version of the earliest key document whose statements count."""
    if not rules.counts_generations:
        return 0
    return max(memory.recovery, last_recovery(documents, memory.document))


def refusal(memory, number, content):
    """The reason why a signed release is refused; `None` if it is not."""
    if number < memory.release:
        return "olderRelease"
    return "equivocation" if number == memory.release and memory.config not in (NOTHING, content) else None


def accepted(memory, number, content):
    return Memory(memory.document, number, content, memory.recovery, max(memory.newest, content))


def merge(memory, other):
    """Takes over what another memory of the channel knows, as `TrustMemory.merge` does."""
    document, newest = max(memory.document, other.document), max(memory.newest, other.newest)
    if other.recovery > memory.recovery:
        memory = other
    elif other.recovery == memory.recovery:
        if other.release > memory.release or (other.release == memory.release and memory.config == NOTHING):
            memory = memory._replace(release=other.release, config=other.config)
    return memory._replace(document=document, newest=newest)


# MARK: The publisher and the thief


class Rules(NamedTuple):
    name: str
    counts_generations: bool  # statements count only if they name the last recovery's document or a later one
    recovery_keeps_keys: bool  # `keys recover` accepts an unchanged set of keys


RULES = {
    "present": Rules("present", counts_generations=True, recovery_keeps_keys=False),
    "233fb599": Rules("233fb599", counts_generations=False, recovery_keeps_keys=True),
}


def published(world, number):
    """Publishes the next release with a number, and signs it."""
    content, keys = len(world.epochs) + 1, len(world.documents)
    statement = Statement(number, content, keys, world.documents[-1].key)
    epoch = sum(1 for document in world.documents if document.floor)
    return world._replace(
        last=number, live=(number, content), epochs=world.epochs + (epoch,), mustRecover=False,
        releases=world.releases | {statement}, fresh=world.fresh | {statement})


def resigned(world):
    """Signs the live release again: its statement of release stays while the newest document accepts it."""
    number, content = world.live
    keys, key = len(world.documents), world.documents[-1].key
    new = Statement(number, content, keys, key)
    kept = any((s.number, s.content, s.signer) == (number, content, key) for s in world.releases)
    releases = world.releases if kept else world.releases | {new}
    return world._replace(releases=releases, fresh=world.fresh | {new})


def steps_of_publisher(rules, bounds, world):
    newest, version = world.documents[-1], len(world.documents)
    if len(world.epochs) < bounds.publications:
        if world.mustRecover:
            # A machine without a memory begins at the floor, and another one above what it knows.
            numbers = {newest.floor, max(world.last, newest.floor - 1) + 1}
        else:
            numbers = {world.last + 1}
        for number in sorted(numbers):
            if number <= bounds.number:
                yield f"publish {number}", published(world, number)
    if world.live and not world.mustRecover:
        yield "resign", resigned(world)
    if version < bounds.documents and not world.mustRecover:
        yield "renew", world._replace(documents=world.documents + (Document(newest.key, 0),))
        new = max(document.key for document in world.documents) + 1
        yield "rotate", world._replace(documents=world.documents + (Document(new, 0),))
        if world.live:
            for key in [new, newest.key] if rules.recovery_keeps_keys else [new]:
                # A person may mistype the number, or discard what is live.
                for floor in range(1, min(world.last + 1, bounds.number) + 1):
                    document = Document(key, floor)
                    yield (f"recover {floor}" + ("" if key == new else " with the same key"),
                           world._replace(documents=world.documents + (document,), mustRecover=True))
    if newest.key not in world.stolen and len(world.stolen) < bounds.thefts:
        yield "steal", world._replace(stolen=world.stolen | {newest.key})


# MARK: What a reader may get


def offers(bounds, world):
    """Yields each pair of statements that somebody can show to a reader."""
    for release in sorted(world.releases):
        for fresh in sorted(world.fresh):
            if (release.number, release.content) == (fresh.number, fresh.content):
                yield release, fresh
    for key in sorted(world.stolen):
        for number in range(1, bounds.number + 1):
            for keys in range(1, len(world.documents) + 2):
                evil = Statement(number, EVIL, keys, key)
                yield evil, evil


# MARK: The promises


def check_acceptance(world, before, after, config):
    """Rollback and revocation: what a reader that accepted a config must not have accepted."""
    _, content = config
    if after.recovery == before.recovery and after.release < before.release:
        raise Broken("floors: a floor fell without a recovery", config)
    if content == EVIL:
        if world.documents[after.document - 1].key not in world.stolen:
            raise Broken("revocation: a reader accepted a release by a key that its document does not have", config)
        return
    if content < before.newest:
        raise Broken(f"rollback: a reader went back from publication {before.newest} to {content}", config)
    recoveries = sum(1 for document in world.documents[: after.document] if document.floor)
    if world.epochs[content - 1] < recoveries:
        raise Broken(f"rollback: publication {content} of before a recovery was accepted after it", config)


def check_recoverability(rules, world, memory):
    """Recoverability: no reader is lost for the publisher."""
    count = len(world.documents)
    recovery = last_recovery(world.documents, count)
    stolen = any(document.key in world.stolen for document in world.documents[max(recovery - 1, 0):])
    if world.live and not world.mustRecover and not stolen:
        own = resigned(world)
        number, content = world.live
        release = max(s for s in own.releases
                      if s.content == content and s.signer == world.documents[-1].key)
        fresh = max(s for s in own.fresh if s.content == content)
        outcome, _ = verify(rules, memory, world.documents, count, release, fresh)
        if outcome != "accepted":
            raise Broken(f"recoverability: a reader refuses the publisher's release: {outcome}")
    new = max(document.key for document in world.documents) + 1
    recovered = world._replace(documents=world.documents + (Document(new, world.last + 1),))
    statement = Statement(world.last + 1, len(world.epochs) + 1, count + 1, new)
    outcome, _ = verify(rules, memory, recovered.documents, count + 1, statement, statement)
    if outcome != "accepted":
        raise Broken(f"recoverability: a reader would refuse a recovery: {outcome}")


def check_one_view(world, first, second):
    """Two readers of one recovery, between which no thief is, never see two contents under one number."""
    same = (first.recovery, first.release) == (second.recovery, second.release)
    if same and EVIL < first.config != second.config > EVIL:
        raise Broken(f"rollback: two readers see two contents of release {first.release}")


# MARK: The search


class Search:
    def __init__(self, rules, bounds, limit):
        self.rules, self.bounds, self.limit = rules, bounds, limit
        self.worlds, self.memories = [], []
        self.world_numbers, self.memory_numbers = {}, {}
        self.parents = {}
        self.is_whole = True

    def intern(self, value, numbers, values):
        number = numbers.get(value)
        if number is None:
            number = numbers[value] = len(values)
            values.append(value)
        return number

    def pack(self, world, first, second):
        # The readers are alike, so that their order says nothing.
        return (world << 40) | (min(first, second) << 20) | max(first, second)

    def unpack(self, state):
        return state >> 40, state >> 20 & 0xFFFFF, state & 0xFFFFF

    @functools.cache
    def world_steps(self, world):
        steps = steps_of_publisher(self.rules, self.bounds, self.worlds[world])
        return tuple({self.intern(new, self.world_numbers, self.worlds) for _, new in steps} - {world})

    @functools.cache
    def reader_steps(self, world, memory):
        """Returns the memories that a reader may have after one more config or update, having checked the promises."""
        old, place = self.memories[memory], self.worlds[world]
        check_recoverability(self.rules, place, old)
        found = set()
        for version in range(old.document, len(place.documents) + 1):
            adopted = old
            for next_version in range(old.document + 1, version + 1):
                adopted = trust(adopted, place.documents, next_version)
            found |= {adopted, trust(old, place.documents, version) if version > old.document else old}
            for config in self.acceptable(world, version, required_document(self.rules, adopted, place.documents)):
                if refusal(adopted, *config) is None:
                    new = accepted(adopted, *config)
                    check_acceptance(place, old, new, config)
                    found.add(new)
        return tuple({self.intern(new, self.memory_numbers, self.memories) for new in found} - {memory})

    @functools.cache
    def acceptable(self, world, version, least):
        """Returns the configs for which somebody can show both statements to a reader that trusts a document.

        `verify` says the same about each pair of statements, and the traces compare both.
        """
        place = self.worlds[world]
        key = place.documents[version - 1].key
        known = [{(s.number, s.content) for s in statements if s.signer == key and least <= s.keys <= version}
                 for statements in (place.releases, place.fresh)]
        stolen = {(number, EVIL) for number in range(1, self.bounds.number + 1) if key in place.stolen}
        return known[0] & known[1] | stolen

    @functools.cache
    def merged(self, memory, other):
        return self.intern(merge(self.memories[memory], self.memories[other]), self.memory_numbers, self.memories)

    def run(self):
        """Visits the states breadth first; raises `Broken` with the state in `self.culprit`."""
        world = World((Document(1, 0),), 0, (), (), frozenset(), frozenset(), frozenset(), False)
        memory = Memory(1, 0, NOTHING, 0, NOTHING)
        start = self.pack(
            self.intern(world, self.world_numbers, self.worlds), *[
                self.intern(memory, self.memory_numbers, self.memories)] * 2)
        parents, queue = self.parents, [start]
        parents[start] = None
        for state in queue:
            self.culprit = state
            world, first, second = self.unpack(state)
            check_one_view(self.worlds[world], self.memories[first], self.memories[second])
            following = [self.pack(new, first, second) for new in self.world_steps(world)]
            following += [self.pack(world, new, second) for new in self.reader_steps(world, first)]
            following += [self.pack(world, first, new) for new in self.reader_steps(world, second)]
            following += [self.pack(world, self.merged(first, second), second),
                          self.pack(world, first, self.merged(second, first))]
            for new in following:
                if new not in parents:
                    if len(parents) >= self.limit:
                        self.is_whole = False
                        break
                    parents[new] = state
                    queue.append(new)

    def path(self, state):
        states = []
        while state is not None:
            states.append(state)
            state = self.parents[state]
        return states[::-1]


def moves(rules, bounds, world, memory):
    """Yields the description, the memory after it and the outcome of each config or update for a reader."""
    for release, fresh in offers(bounds, world):
        for count in range(memory.document, len(world.documents) + 1):
            outcome, new = verify(rules, memory, world.documents, count, release, fresh)
            yield ("offer", count, release, fresh), new, outcome
    for version in range(memory.document + 1, len(world.documents) + 1):
        yield ("pin", version), trust(memory, world.documents, version), "pinned"


# MARK: Traces


def trace(search, state):
    """Returns the steps to a state as values for JSON; readers keep their places although the search sorts them."""
    rules, bounds = search.rules, search.bounds
    states = search.path(state)
    world, first, second = search.unpack(states[0])
    readers, steps = [first, second], []
    for new in states[1:]:
        next_world, first, second = search.unpack(new)
        if next_world != world:
            old, place = search.worlds[world], search.worlds[next_world]
            name = next(n for n, w in steps_of_publisher(rules, bounds, old) if w == place)
            step = {"do": name}
            if len(place.documents) > len(old.documents):
                document = place.documents[-1]
                step |= {"key": document.key, "floor": document.floor}
            steps.append(step)
            world = next_world
            continue
        wanted = sorted((first, second))
        for reader in (0, 1):
            other = readers[1 - reader]
            left = list(wanted)
            if other not in left:
                continue
            left.remove(other)
            if left[0] == readers[reader]:
                continue
            steps.append(reader_step(search, world, reader, readers[reader], left[0], other))
            readers[reader] = left[0]
            break
    return steps


def reader_step(search, world, reader, old, new, other):
    place, before, after = search.worlds[world], search.memories[old], search.memories[new]
    found = list(moves(search.rules, search.bounds, place, before))
    wanted = next(((move, outcome) for move, memory, outcome in found if memory == after), None)
    if wanted is None:
        assert merge(before, search.memories[other]) == after
        return {"do": "merge", "reader": reader, "memory": shown(after)}
    step = described(*wanted, after) | {"reader": reader}
    # What else it might have got, accepted or refused: the memory does not keep it.
    others = [described(move, outcome, memory) for move, memory, outcome in found if move[0] == "offer"]
    if others:
        stride = max(1, len(others) // 8)
        step["instead"] = others[old % stride::stride]
    return step


def described(move, outcome, memory):
    if move[0] == "pin":
        return {"do": "pin", "version": move[1], "memory": shown(memory)}
    _, count, release, fresh = move
    return {"do": "offer", "documents": count, "release": release._asdict(), "fresh": fresh._asdict(),
            "outcome": outcome, "memory": shown(memory)}


def shown(memory):
    return {"document": memory.document, "release": memory.release, "config": memory.config,
            "recovery": memory.recovery}


def sentence(step):
    words = [step["do"]]
    if step["do"] == "offer":
        release, fresh = step["release"], step["fresh"]
        words = [f"reader {step['reader']} gets release {release['number']} of publication {release['content']} by key "
                 f"{release['signer']} (documents {release['keys']} and {fresh['keys']}), with documents up to "
                 f"{step['documents']}: {step['outcome']}"]
    elif step["do"] in ("pin", "merge"):
        words = [f"reader {step['reader']}:", step["do"], str(step.get("version", ""))]
    return " ".join(words).strip()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--rules", choices=sorted(RULES), default="present")
    arguments.add_argument("--states", type=int, default=10_000_000)
    arguments.add_argument("--traces", type=int, default=0)
    for name, value in Bounds()._asdict().items():
        arguments.add_argument(f"--{name}", type=int, default=value)
    options = arguments.parse_args()
    bounds = Bounds(*[getattr(options, name) for name in Bounds._fields])
    search = Search(RULES[options.rules], bounds, options.states)
    try:
        search.run()
    except Broken as broken:
        print(f"broken after {len(search.parents)} states: {broken.args[0]}", file=sys.stderr)
        for step in trace(search, search.culprit):
            print("  " + sentence(step), file=sys.stderr)
        for config in broken.args[1:]:
            print(f"  a reader accepts release {config[0]} of publication {config[1]}", file=sys.stderr)
        return 1
    states = list(search.parents)
    for index in range(options.traces):
        # Later states have longer paths.
        state = states[-1 - index * (len(states) - 1) // (2 * options.traces)]
        print(json.dumps(trace(search, state)))
    kind = "all" if search.is_whole else "the first"
    print(f"kept every promise in {kind} {len(states)} states", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
