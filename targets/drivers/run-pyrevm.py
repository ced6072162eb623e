"""pyrevm, revm for Python, as a node that `lydite evm … -- python run-pyrevm.py` talks to.

    run-pyrevm.py              answers the lines on standard input (docs/evm.md)

Deployments give no output, and storage is not listed: of each contract the slots that are asked
for are told. Its newest EVM is that of Prague. All transactions share one journal, so contracts
that end themselves are none of its business.
"""

import json
import re
import sys

from pyrevm import EVM, BlockEnv, CfgEnv, Env

ACCOUNTS = [f"0x{0xACC00000 + number:040x}" for number in range(4)]
WEALTH = 1 << 120
# The block of the EVM inside of lydite.
BLOCK = BlockEnv(
    number=20_000_000, timestamp=1_700_000_000, coinbase="0x" + "be" * 20, prevrandao=b"\x5a" * 32,
    basefee=0, gas_limit=(1 << 63) - 1,
)
# How revm shows what a call that failed gave back, and one that could not go on.
REVERTED = re.compile(r"Revert \{ gas_used: (\d+), output: (0x[0-9a-f]*) \}")
HALTED = re.compile(r"Halt \{")


def fresh():
    config = CfgEnv(chain_id=1, limit_contract_code_size=16 << 20)
    evm = EVM(env=Env(cfg=config, block=BLOCK), spec_id="PRAGUE", gas_limit=(1 << 63) - 1)
    for account in ACCOUNTS:
        evm.set_balance(account, WEALTH)
    return evm


def told(log):
    topics, data = log.data
    words = [topic if isinstance(topic, str) else "0x" + bytes(topic).hex() for topic in topics]
    return {"address": log.address, "topics": words, "data": "0x" + bytes(data).hex()}


def send(evm, sent):
    data, value, gas = bytes.fromhex(sent["data"][2:]), int(sent["value"], 16), sent["gas"]
    output, address = b"", None
    try:
        if sent["to"] is None:
            address = evm.deploy(sent["from"], data, value, gas)
        else:
            output = evm.message_call(sent["from"], sent["to"], data, value, gas, 0)
    except RuntimeError as error:
        said = str(error)
        reverted = REVERTED.search(said)
        if reverted:
            return {"reverted": {"output": reverted[2], "gas": int(reverted[1])}}
        return "halted" if HALTED.search(said) else {"refused": said}
    except OverflowError as error:
        return {"refused": str(error)}
    logs = [told(log) for log in evm.result.logs]
    return {"done": {"output": "0x" + bytes(output).hex(), "address": address, "logs": logs, "gas": evm.result.gas_used}}


def count(evm, sender):
    """Counts a call among the transactions of its sender, as a deployment is counted."""
    try:
        evm.deploy(sender, b"\xfe", 0, 100_000)
    except RuntimeError:
        pass


def state(evm, addresses, wanted):
    held = []
    for address, slots in zip(addresses, wanted):
        words = [[slot, hex(evm.storage(address, int(slot, 16)))] for slot in slots]
        held.append({"balance": hex(evm.get_balance(address)), "slots": words})
    return {"state": held}


def main():
    evm = fresh()
    for line in sys.stdin:
        question = json.loads(line)
        if "send" in question:
            sent = question["send"]
            answer = send(evm, sent)
            evm.reset_transient_storage()
            if sent["to"] is not None and "refused" not in answer:
                count(evm, sent["from"])
        else:
            answer = state(evm, question["state"], question["slots"])
        print(json.dumps(answer), flush=True)


main()
