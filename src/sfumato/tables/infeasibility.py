from sfumato.errors import DataError
def cannot_be_protected(problem, primary, attacker):
    return DataError(f"infeasible {primary} {attacker}")
def check_primaries(problem): pass
