import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { listedIn } from '../data/listed-in.ts';
import { TextField } from '../ui/fields.tsx';

type WebhookInput = components['schemas']['WebhookInput'];

/** `onCreate` resolves with whether the webhook was created. */
export function CreateForm({ busy, onCreate }: { busy: boolean; onCreate: (body: WebhookInput) => Promise<boolean> }) {
  const [url, setUrl] = useState('');
  const [types, setTypes] = useState('');
  const [description, setDescription] = useState('');

  async function submit(): Promise<void> {
    const listed = listedIn(types);
    const body = {
      url: url.trim(),
      ...(listed.length === 0 ? {} : { types: listed }),
      ...(description.trim() === '' ? {} : { description: description.trim() }),
    };
    if (!(await onCreate(body))) return;
    setUrl('');
    setTypes('');
    setDescription('');
  }

  return (
    <form
      class="card question"
      aria-label="Create a webhook"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2>Create a webhook</h2>
      <TextField
        label="URL"
        hint="Where events are sent."
        placeholder="https://shop.example/events"
        required
        value={url}
        onChange={setUrl}
      />
      <TextField
        label="Types"
        hint="With commas between: order.*, coupon.updated. Empty: everything that your key may read."
        value={types}
        onChange={setTypes}
      />
      <TextField label="Description" hint="What it is for." value={description} onChange={setDescription} />
      <button type="submit" class="primary" disabled={busy || url.trim() === ''}>
        Create webhook
      </button>
    </form>
  );
}
