"""What a file is for, told by its path."""

import pytest

from codeexplore.languages.file_roles import RULES, PathRoles, path_role


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("src/app/session.py", "source"),
        ("tests/test_session.py", "test"),
        ("app/test_session.py", "test"),
        ("app/session_test.py", "test"),
        ("conftest.py", "test"),
        ("src/flask/testing.py", "source"),
        ("latest/contest.py", "source"),
        ("pkg/server_test.go", "test"),
        ("pkg/testdata/in.go", "test"),
        ("tokio/src/sync/tests/mutex.rs", "test"),
        ("src/lib.rs", "source"),
        ("benches/sync.rs", "benchmark"),
        ("src/benchmark/mod.rs", "source"),  # of a program that measures others
        ("src/benchmark/kotlin/Sort.kt", "benchmark"),
        ("gson/src/test/java/com/google/gson/GsonTest.java", "test"),
        ("app/GsonTest.java", "test"),
        ("src/main/java/p/FieldSpec.java", "source"),
        ("lib/src/main/scala-3/p/FieldSpec.scala", "source"),
        ("src/commonMain/kotlin/p/FieldSpec.kt", "source"),
        ("src/commonTest/kotlin/p/FieldSpec.kt", "test"),
        ("src/main/java/p/tests/FieldSpec.java", "test"),
        ("app/Contest.java", "source"),
        ("app/TestableThing.kt", "source"),
        ("src/components/Button.spec.tsx", "test"),
        ("src/components/Button.test.js", "test"),
        ("src/__tests__/waitError.ts", "test"),
        ("src/spec.ts", "source"),
        ("spec/session_spec.rb", "test"),
        ("lib/bats-core/test_functions.bash", "source"),
        ("test/suite.bats", "test"),
        ("lib/plug/test.ex", "source"),
        ("test/plug/router_test.exs", "test"),
        ("Tests/RequestTests.swift", "test"),
        ("contracts/Vault.t.sol", "test"),
        ("Source/Core/Session.swift", "source"),
        ("modules/core/src/testFixtures/java/A.java", "test"),
        ("Dapper.Tests/MiscTests.cs", "test"),
        ("Shop.Tests.Dummy/Program.cs", "test"),
        ("examples/hello/main.go", "example"),
        ("docs_src/tutorial/app.py", "example"),
        ("src/main_example.c", "example"),
        ("benchmarks/run.py", "benchmark"),
        ("core/src/JsonBenchmark.java", "benchmark"),
        ("vendor/github.com/x/y.go", "vendored"),
        ("third_party/zlib/test/deflate.c", "vendored"),
        ("api/service_pb2.py", "generated"),
        ("api/service.pb.go", "generated"),
        ("Models/User.g.cs", "generated"),
        ("api/routes_gen.go", "generated"),
        ("api/routes.gen.ts", "generated"),
        ("api/_next_gen.py", "source"),
        ("app/migrations/0018_remove_ping_body.py", "migration"),
        ("db/migrate/20240101120000_create_users.rb", "migration"),
        ("database/migrations/2014_10_12_000000_create_users_table.php", "migration"),
        ("alembic/versions/1975ea83b712_add_column.py", "migration"),
        ("django/db/migrations/autodetector.py", "source"),
        ("src/click/_compat.py", "compat"),
        ("lib/compat.py", "compat"),
        ("src/legacy/old.js", "compat"),
        ("README.md", "docs"),
        ("doc/md_docs.go", "source"),
        ("docs/guide.rst", "docs"),
    ],
)
def test_a_path_tells_its_role(path: str, role: str) -> None:
    assert path_role(path) == role
    assert PathRoles().is_test(path) == (role == "test")


def test_a_long_path_costs_little() -> None:
    """Patterns are anchored, so that a path made of their beginnings is no trap."""
    assert path_role("/".join(["test_" * 20] * 200) + ".zzz") == "source"


def test_every_rule_can_be_reached() -> None:
    """Each role of the table is one that some rule gives, source aside."""
    assert {rule.role for rule in RULES} == {
        "test", "example", "benchmark", "generated", "vendored", "migration", "compat", "docs", "resource",
    }  # fmt: skip
