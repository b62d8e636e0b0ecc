// Asks a node over another gRPC (grpc-js) and holds its blobs to the network's own client library; then writes with the library's blobs.
// Arguments: the folder of the .proto files, the addresses of gRPC and HTTP, the account and the name of a key of the node that has
// written a document at /oracle. Prints a JSON object of what was found; an error ends with code 1.
import assert from 'node:assert/strict'
import {join} from 'node:path'
import grpc from '@grpc/grpc-js'
import loader from '@grpc/proto-loader'
import {CID} from 'multiformats/cid'
import * as dagCbor from '@ipld/dag-cbor'
import {blake2b} from '@noble/hashes/blake2.js'
import * as blobs from '@seed-hypermedia/client/blobs'
import {createChange, createChangeOps, createGenesisChange, signDocumentChange} from '@seed-hypermedia/client/change'
import {createVersionRef} from '@seed-hypermedia/client/ref'

const [folder, grpcAddress, http, account] = process.argv.slice(2)
const definition = loader.loadSync(['daemon/v1alpha/daemon.proto', 'documents/v3alpha/documents.proto', 'documents/v3alpha/resources.proto'].map((f) => join(folder, f)),
  {includeDirs: [folder], longs: Number, enums: String, defaults: false})
const pkg = grpc.loadPackageDefinition(definition).com.seed
const open = (Service) => new Service(grpcAddress, grpc.credentials.createInsecure())
const daemon = open(pkg.daemon.v1alpha.Daemon)
const documents = open(pkg.documents.v3alpha.Documents)
const call = (client, method, request) => new Promise((resolve, reject) => client[method](request, (err, answer) => (err ? reject(err) : resolve(answer))))


// 1. What the node has signed is the library's: names, encoding and signatures of every change and ref.
const found = {verified: 0}
const {changes} = await call(documents, 'ListDocumentChanges', {account, path: '/oracle'})
const {refs} = await call(documents, 'ListRefs', {account, path: '/oracle'})
for (const {id} of [...changes, ...refs]) {
  const data = new Uint8Array(await (await fetch(`http://${http}/ipfs/${id}`)).arrayBuffer())
  const cid = CID.parse(id)
  assert.deepEqual(Buffer.from(cid.multihash.digest), Buffer.from(blake2b(data, {dkLen: 32})), 'the CID is of the bytes')
  const again = blobs.encode(dagCbor.decode(data))
  assert.deepEqual(Buffer.from(again.data), Buffer.from(data), 'the encoding is canonical')
  assert.ok(blobs.verify(again.decoded), `the signature of ${id}`)
  found.verified++
}

// 2. What the library signs is taken, and the tree is as written.
const key = blobs.generateNobleKeyPair()
const own = blobs.principalToString(key.principal)
const ts = BigInt(Date.now())
const block = (id, text) => ({type: 'ReplaceBlock', block: {id, type: 'Paragraph', text}})
const ops = [
  {type: 'MoveBlocks', parent: '', blocks: ['a', 'b', 'c']}, // ids 0, 1, 3
  {type: 'MoveBlocks', parent: 'b', blocks: ['d'], ref: []},
  {type: 'SetAttributes', attrs: [{key: ['name'], value: 'Oracle'}]},
  ...['a', 'b', 'c', 'd'].map((id) => block(id, `text of ${id}`)),
]
const {unsignedBytes} = createChangeOps({ops, ts})
const change = await createChange(unsignedBytes, key)
const ref = await createVersionRef({space: own, path: '/js', genesis: change.cid.toString(), version: change.cid.toString(), generation: Number(ts), ts}, key)
await call(daemon, 'StoreBlobs', {blobs: [{cid: change.cid.toString(), data: change.bytes}, ...ref.blobs]})
const tree = (nodes) => (nodes ?? []).map((n) => [n.block.id, n.block.text, tree(n.children)])
let document = await call(documents, 'GetDocument', {account: own, path: '/js'})
const leaf = (id, below = []) => [id, `text of ${id}`, below]
assert.deepEqual(tree(document.content), [leaf('a'), leaf('b', [leaf('d')]), leaf('c')])
assert.equal(document.version, change.cid.toString())

// 3. The node prepares, the library signs: a block between others, by the ids that the library's change has.
const prepared = await call(documents, 'PrepareChange', {account: own, path: '/js', baseVersion: document.version, changes: [
  {moveBlock: {blockId: 'e', parent: '', leftSibling: 'b'}},
  {replaceBlock: {id: 'e', type: 'Paragraph', text: 'text of e'}},
  {deleteBlock: 'a'},
]})
const signed = await signDocumentChange({account: own, path: '/js', unsignedChange: prepared.unsignedChange, genesis: document.genesis, generation: document.generationInfo.generation}, key)
await call(daemon, 'StoreBlobs', {blobs: signed.publishInput.blobs})
document = await call(documents, 'GetDocument', {account: own, path: '/js'})
assert.deepEqual(tree(document.content), [leaf('b', [leaf('d')]), leaf('e'), leaf('c')])
const old = await call(documents, 'GetDocument', {account: own, path: '/js', version: change.cid.toString()})
assert.deepEqual(tree(old.content), [leaf('a'), leaf('b', [leaf('d')]), leaf('c')])

// 4. A home document begins with the library's first change.
const genesis = await createGenesisChange(key)
await call(daemon, 'StoreBlobs', {blobs: [{cid: genesis.cid.toString(), data: genesis.bytes}]})
const home = await call(documents, 'PrepareChange', {account: own, baseVersion: genesis.cid.toString(), changes: [{setMetadata: {key: 'name', value: 'Home'}}]})
const homeSigned = await signDocumentChange({account: own, unsignedChange: home.unsignedChange}, key)
await call(daemon, 'StoreBlobs', {blobs: homeSigned.publishInput.blobs})
assert.equal((await call(documents, 'GetDocument', {account: own})).metadata.fields.name.stringValue, 'Home')

// 5. A changed byte is refused, with the code that says so.
const broken = Uint8Array.from(change.bytes)
broken[broken.length - 1] ^= 1
for (const request of [{data: broken}, {cid: change.cid.toString(), data: broken}]) {
  await assert.rejects(call(daemon, 'StoreBlobs', {blobs: [request]}), {code: grpc.status.INVALID_ARGUMENT})
}
await assert.rejects(call(documents, 'GetDocument', {account: own, path: '/nothing'}), {code: grpc.status.NOT_FOUND})
console.log(JSON.stringify(found))
process.exit(0)
