import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Node options that make a process profilable; its log names the port. */
export const PROFILED_NODE_OPTIONS = '--inspect=127.0.0.1:0';

const SAMPLE_EVERY_US = 500;
const TOP_FUNCTIONS = 10;
/** Functions with a smaller share of the busy time are left out. */
const BUSY_MIN = 0.02;
const ENDPOINT = /Debugger listening on (ws:\/\/\S+)/g;

/** A V8 CPU profile, as far as it is read here. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples?: number[];
  timeDeltas?: number[];
}

interface Profiled {
  name: string;
  send: (method: string, params?: object) => Promise<unknown>;
  close: () => void;
}

/** CPU profiles of several processes at once, this one included. */
export class Profiles {
  readonly folder: string;
  readonly #processes: Profiled[];

  private constructor(folder: string, processes: Profiled[]) {
    this.folder = folder;
    this.#processes = processes;
  }

  /**
   * `logs`: the log of each process that was started with PROFILED_NODE_OPTIONS, by its name. This process is `client`.
   */
  static async open(folder: string, logs: Readonly<Record<string, string>>): Promise<Profiles> {
    mkdirSync(folder, { recursive: true });
    const others = Object.entries(logs).map(async ([name, log]) => attach(name, endpointIn(log)));
    const profiles = new Profiles(folder, [attachToThis(), ...(await Promise.all(others))]);
    for (const { send } of profiles.#processes) {
      await send('Profiler.enable');
      await send('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
    }
    return profiles;
  }

  async start(): Promise<void> {
    await Promise.all(this.#processes.map(async ({ send }) => send('Profiler.start')));
  }

  /**
   * Writes `<name>-<process>.cpuprofile` for each busy process. Returns the functions in which it spent its own time.
   */
  async stop(name: string): Promise<string> {
    const stopped = this.#processes.map(async ({ name: processName, send }) => {
      const { profile } = (await send('Profiler.stop')) as { profile: CpuProfile };
      const { busy, lines } = topFunctions(profile);
      if (busy < BUSY_MIN) return [];
      const file = `${name} ${processName}`.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase();
      writeFileSync(path.join(this.folder, `${file}.cpuprofile`), JSON.stringify(profile));
      return [`    ${processName}, busy ${percent(busy)} of the time`, ...lines.map((line) => `    ${line}`)];
    });
    return (await Promise.all(stopped)).flat().join('\n');
  }

  close(): void {
    for (const { close } of this.#processes) close();
  }
}

function endpointIn(log: string): string {
  const endpoint = [...readFileSync(log, 'utf8').matchAll(ENDPOINT)].at(-1)?.[1];
  if (endpoint === undefined) throw new Error(`${log} does not say where its process can be profiled`);
  return endpoint;
}

function attachToThis(): Profiled {
  const session = new Session();
  session.connect();
  const send = (method: string, params?: object) => session.post(method, params);
  return { name: 'client', send, close: () => session.disconnect() };
}

async function attach(name: string, endpoint: string): Promise<Profiled> {
  const socket = new WebSocket(endpoint);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`${name} cannot be profiled at ${endpoint}`)), {
      once: true,
    });
  });
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as {
      id: number;
      result: unknown;
      error?: { message: string };
    };
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`${name}: ${error.message}`));
    waiting.delete(id);
  });
  const send = (method: string, params: object = {}) => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(++lastId, answer);
    socket.send(JSON.stringify({ id: lastId, method, params }));
    return answer.promise;
  };
  return { name, send, close: () => socket.close() };
}

/** The functions with the most time of their own, each with its share of the process's busy time. */
function topFunctions({ nodes, samples = [], timeDeltas = [] }: CpuProfile): { busy: number; lines: string[] } {
  const nodesById = new Map(nodes.map((node) => [node.id, node]));
  const selfUs = new Map<string, number>();
  let busyUs = 0;
  let wholeUs = 0;
  for (const [index, id] of samples.entries()) {
    const frame = nodesById.get(id)?.callFrame;
    // A delta leads to its sample from the previous one; a sample lasts until the next one.
    const us = timeDeltas[index + 1] ?? 0;
    wholeUs += us;
    if (frame === undefined || frame.functionName === '(idle)') continue;
    busyUs += us;
    const label = labelOf(frame);
    selfUs.set(label, (selfUs.get(label) ?? 0) + us);
  }
  const top = [...selfUs].toSorted(([, a], [, b]) => b - a).slice(0, TOP_FUNCTIONS);
  return {
    busy: busyUs / Math.max(1, wholeUs),
    lines: top.map(([label, us]) => `${percent(us / Math.max(1, busyUs)).padStart(8)}  ${label}`),
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function labelOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)';
  if (url === '') return name;
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const inModules = file.lastIndexOf('node_modules/');
  const short = inModules === -1 ? path.relative(process.cwd(), file) : file.slice(inModules + 'node_modules/'.length);
  return `${name} ${url.startsWith('node:') ? url : short}:${lineNumber + 1}`;
}
