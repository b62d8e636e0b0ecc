// The official client buys once: node client.mjs URL VERSION BODY [IDENTIFIER]. Prints the answer, the
// receipt and the payment header it sent. The account is the third of anvil's public mnemonic.
import { mnemonicToAccount } from 'viem/accounts'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier'

const [url, version, body, identifier] = process.argv.slice(2)
const signer = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 2 })
const client = new x402Client()
registerExactEvmScheme(client, { signer })

const sent = {}
// A client that only knows version 1 does not see the header of version 2. The official client repeats the
// extensions it was offered, so that is where an identifier is put.
async function watched(input, init) {
  const request = new Request(input, init)
  for (const name of ['payment-signature', 'x-payment']) if (request.headers.has(name)) sent[name] = request.headers.get(name)
  const response = await fetch(request)
  if (response.status !== 402) return response
  const headers = new Headers(response.headers)
  if (version === '1') headers.delete('payment-required')
  else if (identifier) {
    const offer = JSON.parse(Buffer.from(headers.get('payment-required'), 'base64').toString())
    appendPaymentIdentifierToExtensions(offer.extensions, identifier)
    headers.set('payment-required', Buffer.from(JSON.stringify(offer)).toString('base64'))
  }
  return new Response(await response.text(), { status: 402, headers })
}

const response = await wrapFetchWithPayment(watched, client)(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
const receipt = response.headers.get('payment-response') ?? response.headers.get('x-payment-response')
console.log(JSON.stringify({
  status: response.status,
  body: await response.text(),
  receipt: receipt ? decodePaymentResponseHeader(receipt) : null,
  sent,
  cacheControl: response.headers.get('cache-control'),
}))
