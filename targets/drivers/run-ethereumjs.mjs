// The EVM of EthereumJS as a node that `lydite evm … -- node run-ethereumjs.mjs ROOT` talks to.
//
//   node run-ethereumjs.mjs ROOT              answers the lines on standard input (docs/evm.md)
//   node run-ethereumjs.mjs ROOT --version
//
// Its EVM alone is run, without the part that makes blocks: what a transaction does around a call
// (the price of its data, accounts that it ends) is done here.

import fs from "fs";
import path from "path";
import readline from "readline";
import { pathToFileURL } from "url";

const [root, ...words] = process.argv.slice(2);
const packageRoot = path.join(root, "package");
if (words[0] === "--version") {
  console.log(JSON.parse(fs.readFileSync(path.join(packageRoot, "package.json"))).version);
  process.exit(0);
}
const load = (place) => import(pathToFileURL(path.join(packageRoot, place, "dist/esm/index.js")));
const { createEVM } = await load(".");
const { Common, Hardfork, Mainnet } = await load("node_modules/@ethereumjs/common");
const { SimpleStateManager } = await load("node_modules/@ethereumjs/statemanager");
const { Account, Address, bytesToHex, hexToBytes } = await load("node_modules/@ethereumjs/util");

const ACCOUNTS = [0, 1, 2, 3].map((number) => "0x" + (0xacc00000 + number).toString(16).padStart(40, "0"));
const WEALTH = 1n << 120n;
// The block of the EVM inside of lydite.
const BLOCK = {
  header: {
    number: 20_000_000n,
    timestamp: 1_700_000_000n,
    gasLimit: (1n << 63n) - 1n,
    baseFeePerGas: 0n,
    difficulty: 0n,
    prevRandao: new Uint8Array(32).fill(0x5a),
    coinbase: new Address(new Uint8Array(20).fill(0xbe)),
    cliqueSigner: () => new Address(new Uint8Array(20)),
    getBlobGasPrice: () => 1n,
  },
};

const addressOf = (text) => new Address(hexToBytes(text));
const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka });
const stateManager = new SimpleStateManager({ common });
const evm = await createEVM({ common, stateManager, allowUnlimitedContractSize: true, allowUnlimitedInitCodeSize: true });
for (const account of ACCOUNTS) await stateManager.putAccount(addressOf(account), new Account(0n, WEALTH));

// What a transaction costs before its code runs.
function intrinsicGas(data, deploys) {
  let gas = deploys ? 53000n + 2n * BigInt(Math.ceil(data.length / 32)) : 21000n;
  for (const byte of data) gas += byte === 0 ? 4n : 16n;
  return gas;
}

async function send({ from, to, data, value, gas }) {
  const bytes = hexToBytes(data);
  const intrinsic = intrinsicGas(bytes, to === null);
  if (BigInt(gas) < intrinsic) return "halted";
  const sender = await stateManager.getAccount(addressOf(from));
  if (sender && sender.balance < BigInt(value)) return { refused: "the sender has not so much" };
  evm.transientStorage.clear();
  const result = await evm.runCall({
    block: BLOCK, caller: addressOf(from), to: to === null ? undefined : addressOf(to), data: bytes,
    value: BigInt(value), gasLimit: BigInt(gas) - intrinsic, gasPrice: 0n,
  });
  const { exceptionError, returnValue, executionGasUsed, logs, selfdestruct, createdAddresses } = result.execResult;
  for (const address of selfdestruct?.keys() ?? []) {
    if (createdAddresses?.has(address)) await evm.journal.deleteAccount(addressOf(address));
  }
  await evm.journal.cleanup();
  stateManager.originalStorageCache?.clear();
  const output = bytesToHex(returnValue);
  const used = Number(executionGasUsed + intrinsic);
  if (exceptionError) return exceptionError.error === "revert" ? { reverted: { output, gas: used } } : "halted";
  const told = (logs ?? []).map(([address, topics, logged]) => ({
    address: bytesToHex(address), topics: topics.map(bytesToHex), data: bytesToHex(logged),
  }));
  return { done: { output, address: result.createdAddress?.toString() ?? null, logs: told, gas: used } };
}

async function state(addresses) {
  const stored = stateManager.storageStack[stateManager.storageStack.length - 1];
  const held = [];
  for (const address of addresses) {
    const account = await stateManager.getAccount(addressOf(address));
    const slots = [];
    for (const [key, value] of account ? stored : []) {
      const [of, slot] = key.split("_");
      const word = BigInt(bytesToHex(value).padEnd(3, "0"));
      if (of === addressOf(address).toString() && word !== 0n) slots.push([`0x${BigInt(slot).toString(16)}`, `0x${word.toString(16)}`]);
    }
    held.push({ balance: `0x${(account?.balance ?? 0n).toString(16)}`, slots });
  }
  return { state: held };
}

try {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const question = JSON.parse(line);
    const answer = question.send ? await send(question.send) : await state(question.state);
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
} catch (error) {
  process.stderr.write(`node: ${error?.stack ?? error}\n`);
  process.exit(70);
}
