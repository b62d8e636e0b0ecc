// A chain with test money and the official facilitator on it. Prints one line of JSON when both answer,
// and ends when its standard input does. Accounts come from anvil's public mnemonic.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import net from 'node:net'
import { createWalletClient, http, parseAbi, publicActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator'

const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const mnemonic = 'test test test test test test test test test test test junk' // anvil's, public

// compile takes some ten seconds, so what it made of the same source is kept beside the packages.
async function compile() {
  const source = readFileSync(new URL('token.sol', import.meta.url), 'utf8')
  const folder = new URL('node_modules/.cache/', import.meta.url)
  const { version } = JSON.parse(readFileSync(new URL('node_modules/solc/package.json', import.meta.url), 'utf8'))
  const cached = new URL(createHash('sha256').update(version + source).digest('hex') + '.hex', folder)
  if (existsSync(cached)) return readFileSync(cached, 'utf8')
  const { default: solc } = await import('solc')
  const out = JSON.parse(solc.compile(JSON.stringify({
    language: 'Solidity',
    sources: { 'token.sol': { content: source } },
    settings: { evmVersion: 'paris', optimizer: { enabled: true, runs: 200 }, outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } } },
  })))
  const errors = (out.errors ?? []).filter((e) => e.severity === 'error')
  if (errors.length) throw new Error(errors.map((e) => e.formattedMessage).join('\n'))
  const code = '0x' + out.contracts['token.sol'].TestDollar.evm.deployedBytecode.object
  mkdirSync(folder, { recursive: true })
  writeFileSync(cached, code)
  return code
}

async function freePort() {
  const s = net.createServer()
  await new Promise((resolve) => s.listen(0, '127.0.0.1', resolve))
  const { port } = s.address()
  await new Promise((resolve) => s.close(resolve))
  return port
}

const code = await compile()
const port = await freePort()
const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch]
const binary = new URL(`node_modules/@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`, import.meta.url).pathname
const anvil = spawn(binary, ['--port', String(port), '--chain-id', '84532', '--silent'], { stdio: 'inherit' })
process.on('exit', () => anvil.kill())
anvil.on('exit', (status) => process.exit(status ?? 1))
process.stdin.on('end', () => process.exit(0)).resume()

const rpc = `http://127.0.0.1:${port}`
const account = (addressIndex) => mnemonicToAccount(mnemonic, { addressIndex })
const wallet = createWalletClient({ account: account(0), chain: baseSepolia, transport: http(rpc), pollingInterval: 20 }).extend(publicActions)
for (let tries = 0; ; tries++) {
  try {
    await wallet.getChainId()
    break
  } catch (e) {
    if (tries > 200) throw e
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
await wallet.request({ method: 'anvil_setCode', params: [usdc, code] })
const buyer = account(2)
const abi = parseAbi(['function mint(address to, uint256 value)'])
await wallet.waitForTransactionReceipt({ hash: await wallet.writeContract({ address: usdc, abi, functionName: 'mint', args: [buyer.address, 1_000_000n] }) })

// One settlement at a time: they share the nonce of one wallet.
let last = Promise.resolve()
const alone = (work) => (last = last.then(work, work))

const facilitator = new x402Facilitator()
registerExactEvmScheme(facilitator, { signer: toFacilitatorEvmSigner({ ...wallet, address: wallet.account.address }), networks: 'eip155:84532' })

const server = createServer(async (req, res) => {
  let body = ''
  for await (const chunk of req) body += chunk
  const answer = (status, value) => {
    res.writeHead(status, { 'content-type': 'application/json' })
    res.end(JSON.stringify(value))
  }
  try {
    if (req.url === '/supported') return answer(200, facilitator.getSupported())
    const { paymentPayload, paymentRequirements } = JSON.parse(body)
    if (req.url === '/verify') return answer(200, await facilitator.verify(paymentPayload, paymentRequirements))
    if (req.url === '/settle') return answer(200, await alone(() => facilitator.settle(paymentPayload, paymentRequirements)))
    answer(404, { error: 'no such path' })
  } catch (e) {
    answer(500, { error: String(e?.message ?? e) })
  }
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
console.log(JSON.stringify({ rpc, facilitator: `http://127.0.0.1:${server.address().port}`, buyer: buyer.address, bytes: (code.length - 2) / 2 }))
