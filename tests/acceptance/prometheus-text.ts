/** One line of a process's metrics: `name{labels} value`. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([-+]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|Inf)|NaN)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\n"])*)"(?:,|$)/y;

/**
 * Parses Prometheus's text format.
 *
 * @throws Error with the invalid line, or with a sample before the TYPE of its metric
 */
export function parsePrometheusText(text: string): Sample[] {
  const types = new Map<string, string>();
  return text.split('\n').flatMap((line): Sample[] => {
    if (line === '') return [];
    if (line.startsWith('#')) {
      const [, keyword, name = '', type = ''] = line.split(' ');
      if (keyword === 'TYPE') {
        if (types.has(name)) throw new Error(`a second TYPE: ${line}`);
        types.set(name, type);
      }
      return [];
    }
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    if (name === '') throw new Error(`not a sample: ${line}`);
    const family = types.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
    if (!types.has(family) || (family !== name && types.get(family) !== 'histogram'))
      throw new Error(`no TYPE: ${line}`);
    return [{ name, labels: parseLabels(labels, line), value: Number(value.replace('Inf', 'Infinity')) }];
  });
}

function parseLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? [];
    if (name === '' || name in labels) throw new Error(`labels that cannot be read: ${line}`);
    labels[name] = value;
  }
  return labels;
}
