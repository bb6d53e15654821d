/**
 * Runs beside the process that started the containers, and removes them when that process is gone, however it ended.
 * Data to keep is in named volumes, which stay. `node end-containers.ts CONTAINER ...`
 */

// Ctrl-C in a terminal is for the starter, which then stops its containers in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.on('error', () => undefined);
process.stdin.on('close', () => void removeContainers());

async function removeContainers(): Promise<void> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const { container } = await getContainerRuntimeClient();
  const names = process.argv.slice(2);
  // Containers that were stopped in order are already gone.
  await Promise.allSettled(names.map((name) => container.getById(name).remove({ force: true, v: true })));
  process.exit();
}
