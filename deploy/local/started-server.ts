/** For fault tests. Every method but `pid` throws for a server that was not started here. */
export interface ServerControl {
  /** The process that clients connect to; unknown for containers. */
  readonly pid: number | undefined;
  /** Ends the server as a power failure would: it writes nothing more. For mongo this includes its storage engine. */
  kill9(): Promise<void>;
  /** Starts it again after kill9, otherwise stops it first. Same port, same data. Resolves once it responds. */
  restart(): Promise<void>;
  /** Freezes it (SIGSTOP): connections stay open, but nothing responds. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** A server that was started here. */
export interface StartedServer {
  readonly url: string;
  readonly control: ServerControl;
  stop(): Promise<void>;
}
