// Ganache as a node that `lydite evm … -- node run-ganache.js MODULE` talks to.
//
//   node run-ganache.js MODULE              answers the lines on standard input (docs/evm.md)
//   node run-ganache.js MODULE --version
//
// The accounts of `lydite evm` have no keys: ganache lets them send all the same. What a call
// returns is in no receipt, so each call is asked for first and sent afterwards. The same serves
// for ganache-cli 6, which has other names for some of this.
"use strict";

const Module = require("module");
const fs = require("fs");
const path = require("path");
const readline = require("readline");

// Ganache asks for its web server at once and never uses it here: a hundred megabytes of binaries.
const SERVER = "@trufflesuite/uws-js-unofficial";
const load = Module._load;
Module._load = (name, ...rest) => (name === SERVER ? {} : load(name, ...rest));

// What ganache prints on its own is no answer.
console.log = console.info = console.warn = console.error;

// The last generation before 7 wants a callback, and says which package it is.
const isOld = (ganache) => ganache._webpacked !== undefined;

const ACCOUNTS = [0, 1, 2, 3].map((number) => "0x" + (0xacc00000 + number).toString(16).padStart(40, "0"));
// Sends what only makes a block.
const CLOCK = "0x" + (0xc10c).toString(16).padStart(40, "0");
const WEALTH = "0x" + (1n << 120n).toString(16);
const GAS_PRICE = "0x" + (10n ** 10n).toString(16);
const SLOTS_AT_ONCE = 1000;

const hex = (number) => "0x" + BigInt(number).toString(16);

function provider(ganache) {
  return ganache.provider({
    logging: { quiet: true },
    wallet: { unlockedAccounts: [...ACCOUNTS, CLOCK], totalAccounts: 1 },
    chain: {
      chainId: 1,
      hardfork: "shanghai",
      time: new Date(1700000000 * 1000),
      allowUnlimitedContractSize: true,
      allowUnlimitedInitCodeSize: true,
      vmErrorsOnRPCResponse: true,
    },
    miner: { blockGasLimit: "0x7fffffffffff", callGasLimit: "0x7fffffffffff" },
  });
}

// The newest EVM of ganache-cli 6 is that of Muir Glacier.
function oldProvider(ganache) {
  return ganache.provider({
    unlocked_accounts: ACCOUNTS,
    accounts: [{ balance: "0x" + (1n << 130n).toString(16), secretKey: "0x" + "11".repeat(32) }],
    hardfork: "muirGlacier",
    time: new Date(1700000000 * 1000),
    allowUnlimitedContractSize: true,
    vmErrorsOnRPCResponse: true,
    gasLimit: "0x7fffffffffff",
    callGasLimit: "0x7fffffffffff",
    gasPrice: "0x0",
    network_id: 1,
    _chainId: 1,
    _chainIdRpc: 1,
  });
}

// What went wrong has the results of transactions, of which there is one.
function failed(error) {
  const [result] = Object.values(error.results ?? {});
  return Object.assign(new Error(error.message), { data: result?.return });
}

async function openOld(ganache) {
  const node = oldProvider(ganache);
  const ask = (method, ...params) => new Promise((resolve, reject) => {
    node.send({ jsonrpc: "2.0", id: 1, method, params }, (error, answer) => {
      if (error ?? answer.error) reject(failed(error ?? answer.error));
      else resolve(answer.result);
    });
  });
  const [rich] = await ask("eth_accounts");
  for (const address of ACCOUNTS) await ask("eth_sendTransaction", { from: rich, to: address, value: WEALTH, gas: hex(21000), gasPrice: "0x0" });
  return ask;
}

async function open(ganache) {
  const node = provider(ganache);
  const ask = (method, ...params) => node.request({ method, params });
  for (const address of [...ACCOUNTS, CLOCK]) await ask("evm_setAccountBalance", address, WEALTH);
  return ask;
}

// What a transaction is to return or to revert with.
async function output(ask, transaction) {
  try {
    return await ask("eth_call", transaction, "latest");
  } catch (error) {
    return typeof error.data === "string" ? error.data : "0x";
  }
}

const HALTS = /invalid opcode|out of gas|stack|invalid JUMP|static|not in range|code|collision|overflow/i;

async function send(ask, sent, gasPrice) {
  const transaction = { from: sent.from, data: sent.data, value: hex(sent.value), gas: hex(sent.gas), gasPrice };
  if (sent.to !== null) transaction.to = sent.to;
  const told = await output(ask, transaction);
  try {
    const hash = await ask("eth_sendTransaction", transaction);
    const receipt = await ask("eth_getTransactionReceipt", hash);
    const logs = receipt.logs.map(({ address, topics, data }) => ({ address, topics, data }));
    return { done: { output: told, address: receipt.contractAddress, logs, gas: Number(receipt.gasUsed) } };
  } catch (error) {
    const said = String(error.message);
    const why = said.split("VM Exception while processing transaction: ")[1];
    if (why === undefined) return { refused: said };
    if (why.startsWith("revert")) return { reverted: { output: told, gas: 0 } };
    return HALTS.test(why) ? "halted" : { refused: said };
  }
}

async function slots(ask, block, address) {
  const found = [];
  let start = "0x00";
  while (start) {
    const part = await ask("debug_storageRangeAt", block, 0, address, start, SLOTS_AT_ONCE);
    for (const { key, value } of Object.values(part.storage)) found.push([key, value]);
    start = part.nextKey;
  }
  return found;
}

// It lists no storage.
async function oldState(ask, addresses, wanted) {
  const held = [];
  for (const [at, address] of addresses.entries()) {
    const told = [];
    for (const slot of wanted[at]) told.push([slot, hex(await ask("eth_getStorageAt", address, slot, "latest"))]);
    held.push({ balance: await ask("eth_getBalance", address, "latest"), slots: told });
  }
  return { state: held };
}

// Storage is told as it is before a transaction of a block, so one more is made.
async function state(ask, addresses) {
  await ask("eth_sendTransaction", { from: CLOCK, to: CLOCK, gas: hex(21000), gasPrice: GAS_PRICE });
  const { hash } = await ask("eth_getBlockByNumber", "latest", false);
  const held = [];
  for (const address of addresses) {
    const balance = await ask("eth_getBalance", address, "latest");
    held.push({ balance, slots: await slots(ask, hash, address) });
  }
  return { state: held };
}

async function main([module, ...words]) {
  if (words[0] === "--version") {
    const folder = path.dirname(module);
    const manifest = ["../package.json", "../../package.json"].map((name) => path.join(folder, name)).find(fs.existsSync);
    process.stdout.write(require(manifest).version + "\n");
    process.exit(0);
  }
  const ganache = require(module);
  const old = isOld(ganache);
  const ask = await (old ? openOld : open)(ganache);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const question = JSON.parse(line);
    const told = old ? oldState : state;
    const answer = question.send ? await send(ask, question.send, old ? "0x0" : GAS_PRICE) : await told(ask, question.state, question.slots);
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
  process.exit(0);
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`node: ${error.stack || error}\n`);
  process.exit(70);
});
