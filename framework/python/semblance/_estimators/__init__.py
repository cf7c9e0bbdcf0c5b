# SPDX-License-Identifier: MIT
"""What generated estimators are made of: their bases, by what they learn and on what."""
