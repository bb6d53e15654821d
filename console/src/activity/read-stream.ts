interface StreamEvent {
  id?: string;
  data?: string;
}

/**
 * The events of a `text/event-stream`, as the platform writes it: lines end in `\n`, and data has one line. `onPart` is
 * called for everything that arrives.
 */
export async function* readStream(
  body: ReadableStream<Uint8Array>,
  onPart: () => void = () => {},
): AsyncGenerator<StreamEvent> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onPart();
    const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) yield Object.fromEntries(event.split('\n').map(fieldOf));
  }
}

function fieldOf(line: string): [name: string, value: string] {
  const at = line.indexOf(':');
  return [line.slice(0, at), line.slice(at + 1).trimStart()];
}
