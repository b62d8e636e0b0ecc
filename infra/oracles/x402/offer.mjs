// What the official packages say of a 402: node offer.mjs URL. Prints a list of what they object to.
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar'
import { validatePaymentIdentifier } from '@x402/extensions/payment-identifier'

const response = await fetch(process.argv[2], { method: 'POST', body: '{' })
const problems = []
const note = (what, errors) => errors?.length && problems.push(...errors.map((e) => `${what}: ${typeof e === 'string' ? e : JSON.stringify(e)}`))
if (response.status !== 402) note('status', [String(response.status)])
const v2 = JSON.parse(Buffer.from(response.headers.get('payment-required'), 'base64').toString())
note('version 2', PaymentRequiredV2Schema.safeParse(v2).error?.issues)
note('version 1', PaymentRequiredV1Schema.safeParse(await response.json()).error?.issues)
const { bazaar, 'payment-identifier': identifier } = v2.extensions
note('bazaar', validateDiscoveryExtension(bazaar).errors)
note('bazaar', validateDiscoveryExtensionSpec(bazaar).errors)
note('payment-identifier', validatePaymentIdentifier(identifier).errors)
console.log(JSON.stringify(problems))
