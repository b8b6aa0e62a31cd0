"""Only what pyproject.toml cannot say: `themes/` lies at the top of the repository and ships inside perdura_tui."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["perdura_core*", "perdura_tui*"]), "perdura_tui.themes"],
    package_dir={"perdura_tui.themes": "themes"},
)
