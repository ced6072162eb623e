// EDR, the node of Hardhat, as a node that `lydite evm … -- node run-edr.js MODULE` talks to.
//
//   node run-edr.js MODULE              answers the lines on standard input (docs/evm.md)
//   node run-edr.js MODULE --version
//
// What a call returns is in no receipt, so each call is asked for first and sent afterwards. EDR
// does not list storage: of each contract it tells the slots that it is asked for.
"use strict";

const path = require("path");
const readline = require("readline");

const ACCOUNTS = [0, 1, 2, 3].map((number) => "0x" + (0xacc00000 + number).toString(16).padStart(40, "0"));
const WEALTH = 1n << 120n;
const GAS_LIMIT = 1n << 60n;

const hex = (number) => "0x" + BigInt(number).toString(16);
const bytes = (text) => Buffer.from(text.slice(2), "hex");

// Why a transaction does not go through, by the words of EDR's messages.
const REVERTS = /reverted/i;
const REFUSED = /enough funds|requires at least \d+ gas|gas cap|nonce/i;

async function open(edr) {
  const context = new edr.EdrContext();
  await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory());
  const newest = edr.l1HardforkLatest();
  const rich = ACCOUNTS.map((address) => ({ address: bytes(address), balance: WEALTH }));
  const config = {
    allowBlocksWithSameTimestamp: true,
    allowUnlimitedContractSize: true,
    bailOnCallFailure: true,
    bailOnTransactionFailure: false,
    chainId: 1n,
    coinbase: Buffer.alloc(20, 0xbe),
    defaultTransactionGasLimit: GAS_LIMIT,
    genesisState: [...edr.l1GenesisState(newest), ...rich],
    hardfork: edr.l1HardforkToString(newest),
    initialBaseFeePerGas: 0n,
    initialParentBeaconBlockRoot: Buffer.alloc(32),
    minGasPrice: 0n,
    mining: { autoMine: true, memPool: { order: edr.MineOrdering.Fifo } },
    network: { genesisBlockGasLimit: GAS_LIMIT },
    networkId: 1n,
    observability: {},
    ownedAccounts: [],
    precompileOverrides: [],
    transactionGasCap: false,
  };
  const silent = { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} };
  const provider = await context.createProvider(edr.L1_CHAIN_TYPE, config, silent, { subscriptionCallback: () => {} }, new edr.ContractDecoder());
  const ask = async (method, ...params) => {
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const { result, error } = typeof data === "string" ? JSON.parse(data) : data;
    if (error) throw Object.assign(new Error(error.message), { told: error.data });
    return result;
  };
  for (const address of ACCOUNTS) await ask("hardhat_impersonateAccount", address);
  return ask;
}

// What a transaction is to return or to revert with, and how it ends.
async function foresee(ask, transaction) {
  try {
    return { output: await ask("eth_call", transaction, "latest") };
  } catch (error) {
    if (error.told == null) throw error;
    const output = typeof error.told === "string" ? error.told : error.told.data ?? "0x";
    return { output, why: error.message };
  }
}

async function send(ask, sent) {
  const transaction = { from: sent.from, data: sent.data, value: hex(sent.value), gas: hex(sent.gas), gasPrice: "0x0" };
  if (sent.to !== null) transaction.to = sent.to;
  let foreseen;
  try {
    foreseen = await foresee(ask, transaction);
    const hash = await ask("eth_sendTransaction", transaction);
    const receipt = await ask("eth_getTransactionReceipt", hash);
    const gas = Number(receipt.gasUsed);
    const went = receipt.status === "0x1";
    if (went !== (foreseen.why === undefined)) throw new Error("a call and its transaction end in different ways");
    if (!went) return REVERTS.test(foreseen.why) ? { reverted: { output: foreseen.output, gas } } : "halted";
    const logs = receipt.logs.map(({ address, topics, data }) => ({ address, topics, data }));
    return { done: { output: foreseen.output, address: receipt.contractAddress, logs, gas } };
  } catch (error) {
    if (REFUSED.test(error.message)) return { refused: error.message };
    throw error;
  }
}

async function state(ask, addresses, wanted) {
  const held = [];
  for (const [at, address] of addresses.entries()) {
    const balance = await ask("eth_getBalance", address, "latest");
    const slots = [];
    for (const slot of wanted[at]) slots.push([slot, hex(await ask("eth_getStorageAt", address, slot, "latest"))]);
    held.push({ balance, slots });
  }
  return { state: held };
}

async function main([module, ...words]) {
  if (words[0] === "--version") {
    process.stdout.write(require(path.join(path.dirname(module), "package.json")).version + "\n");
    process.exit(0);
  }
  const ask = await open(require(module));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const question = JSON.parse(line);
    const answer = question.send ? await send(ask, question.send) : await state(ask, question.state, question.slots);
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
  process.exit(0);
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`node: ${error.stack || error}\n`);
  process.exit(70);
});
