import { serialize, type Document } from 'bson';

/** MongoDB's wire format: frames in and out. Reads a command's top-level fields without parsing its documents. */

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const HEADER_BYTES = 16;
const messageBytesMax = 48_000_000;

export interface Request {
  readonly requestId: number;
  /** OP_QUERY is only ever the first hello of a connection; its reply has another shape. */
  readonly legacy: boolean;
  /**
   * False for unacknowledged writes: the client reads no reply, and would take one for the reply to its next command.
   */
  readonly wantsReply: boolean;
  readonly body: Buffer;
  /** The documents of a kind-1 section, unparsed. */
  readonly sequence: Buffer | null;
}

/** The bytes are not a request. The start of the next one cannot be found, so the connection must close. */
export class MalformedMessageError extends Error {}

/** Cuts a byte stream into requests. */
export class RequestReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  /** @throws MalformedMessageError */
  push(chunk: Buffer): Request[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const requests: Request[] = [];
    for (let length = this.#nextLength(); length !== undefined && this.#bytes >= length; length = this.#nextLength()) {
      requests.push(parseRequest(this.#take(length)));
    }
    return requests;
  }

  #nextLength(): number | undefined {
    if (this.#bytes < 4) return undefined;
    const length = this.#front(4).readInt32LE(0);
    if (length < HEADER_BYTES || length > messageBytesMax)
      throw new MalformedMessageError(`message of ${length} bytes`);
    return length;
  }

  /**
   * Joins chunks only until the first holds `length` bytes, so that a large message is copied once, not once per chunk.
   */
  #front(length: number): Buffer {
    const first = this.#chunks[0] ?? Buffer.alloc(0);
    if (first.length >= length) return first;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }

  #take(length: number): Buffer {
    const front = this.#front(length);
    const rest = front.subarray(length);
    if (rest.length === 0) this.#chunks.shift();
    else this.#chunks[0] = rest;
    this.#bytes -= length;
    return front.subarray(0, length);
  }
}

function parseRequest(message: Buffer): Request {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  try {
    if (opCode === OP_MSG) return parseMsg(requestId, message);
    if (opCode === OP_QUERY) {
      const body = documentAt(message, message.indexOf(0, HEADER_BYTES + 4) + 1 + 8);
      return { requestId, legacy: true, wantsReply: true, body, sequence: null };
    }
  } catch (cause) {
    throw new MalformedMessageError('message is shorter than it says', { cause });
  }
  throw new MalformedMessageError(`unknown operation code ${opCode}`);
}

function parseMsg(requestId: number, message: Buffer): Request {
  const flags = message.readUInt32LE(HEADER_BYTES);
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let body: Buffer | undefined;
  let sequence: Buffer | null = null;
  for (let at = HEADER_BYTES + 4; at < end;) {
    const kind = message[at];
    at += 1;
    if (kind === 0) {
      body = documentAt(message, at);
      at += body.length;
    } else if (kind === 1) {
      const size = message.readInt32LE(at);
      const documents = message.subarray(message.indexOf(0, at + 4) + 1, at + size);
      sequence = sequence === null ? documents : Buffer.concat([sequence, documents]);
      at += size;
    } else {
      throw new MalformedMessageError(`unknown section kind ${kind}`);
    }
  }
  if (body === undefined) throw new MalformedMessageError('message without a body section');
  return { requestId, legacy: false, wantsReply: (flags & MORE_TO_COME) === 0, body, sequence };
}

function documentAt(message: Buffer, at: number): Buffer {
  const length = message.readInt32LE(at);
  if (length < 5 || at + length > message.length) throw new MalformedMessageError('document is cut off');
  return message.subarray(at, at + length);
}

let lastReplyId = 0;

/** The frame that replies to `request` with `reply`, a BSON document. */
export function frameReply(request: Request, reply: Buffer): Buffer {
  const headBytes = request.legacy ? HEADER_BYTES + 20 : HEADER_BYTES + 5;
  const frame = Buffer.allocUnsafe(headBytes + reply.length);
  lastReplyId = (lastReplyId + 1) & 0x7fffffff;
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(lastReplyId, 4);
  frame.writeInt32LE(request.requestId, 8);
  frame.fill(0, HEADER_BYTES, headBytes);
  if (request.legacy) {
    frame.writeInt32LE(OP_REPLY, 12);
    frame.writeInt32LE(1, HEADER_BYTES + 16);
  } else {
    frame.writeInt32LE(OP_MSG, 12);
  }
  reply.copy(frame, headBytes);
  return frame;
}

export function encode(document: Document): Buffer {
  const bytes = serialize(document);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface Field {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** The top-level fields of a BSON document. Values are skipped, and read only on demand. */
export class Fields {
  readonly first: string;
  readonly #document: Buffer;
  readonly #fields = new Map<string, Field>();

  /** @throws MalformedMessageError */
  constructor(document: Buffer) {
    this.#document = document;
    let first: string | undefined;
    for (let at = 4; at < document.length - 1;) {
      const type = document[at] ?? 0;
      const nameEnd = document.indexOf(0, at + 1);
      const name = document.toString('latin1', at + 1, nameEnd);
      const start = nameEnd + 1;
      const end = start + valueBytes(document, type, start);
      this.#fields.set(name, { type, start, end });
      first ??= name;
      at = end;
    }
    if (first === undefined) throw new MalformedMessageError('empty command');
    this.first = first;
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** The value's bytes. */
  raw(name: string): Buffer | undefined {
    const field = this.#fields.get(name);
    return field && this.#document.subarray(field.start, field.end);
  }

  string(name: string): string | undefined {
    const field = this.#fields.get(name);
    return field?.type === 0x02 ? this.#document.toString('utf8', field.start + 4, field.end - 1) : undefined;
  }

  boolean(name: string): boolean | undefined {
    const field = this.#fields.get(name);
    return field?.type === 0x08 ? this.#document[field.start] === 1 : undefined;
  }

  /** A number of any numeric type; fractions are truncated. */
  integer(name: string): bigint | undefined {
    const field = this.#fields.get(name);
    if (field?.type === 0x10) return BigInt(this.#document.readInt32LE(field.start));
    if (field?.type === 0x12) return this.#document.readBigInt64LE(field.start);
    if (field?.type === 0x01) return BigInt(Math.trunc(this.#document.readDoubleLE(field.start)));
    return undefined;
  }
}

function valueBytes(document: Buffer, type: number, at: number): number {
  switch (type) {
    case 0x01: // double
    case 0x09: // date
    case 0x11: // timestamp
    case 0x12: // int64
      return 8;
    case 0x02: // string
    case 0x0d: // code
    case 0x0e: // symbol
      return 4 + document.readInt32LE(at);
    case 0x03: // document
    case 0x04: // array
    case 0x0f: // code with scope
      return document.readInt32LE(at);
    case 0x05: // binary
      return 5 + document.readInt32LE(at);
    case 0x07: // object id
      return 12;
    case 0x08: // boolean
      return 1;
    case 0x10: // int32
      return 4;
    case 0x13: // decimal128
      return 16;
    case 0x0b: // regular expression
      return document.indexOf(0, document.indexOf(0, at) + 1) + 1 - at;
    case 0x0c: // pointer
      return 16 + document.readInt32LE(at);
    case 0x06: // undefined
    case 0x0a: // null
    case 0x7f: // max key
    case 0xff: // min key
      return 0;
    default:
      throw new MalformedMessageError(`unknown BSON type ${type}`);
  }
}
