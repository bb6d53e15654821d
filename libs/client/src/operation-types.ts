import type { operations } from './api.generated.ts';

/** The name that an operation has in the document. */
export type Name = keyof operations;
type Json<Part> = Part extends { content: { 'application/json': infer Content } } ? Content : never;
/** The members of a part of the request's parameters; never if there are none. */
type Members<
  Operation extends Name,
  In extends 'query' | 'header',
  Left extends string,
> = operations[Operation] extends {
  parameters: { [Place in In]?: infer Known };
}
  ? Exclude<keyof NonNullable<Known>, Left> extends never
    ? never
    : Omit<NonNullable<Known>, Left>
  : never;

export type Body<Operation extends Name> = operations[Operation] extends { requestBody?: infer Sent }
  ? Json<NonNullable<Sent>>
  : never;
/** The query without `format`: an export has no `data`. */
export type Query<Operation extends Name> = Members<Operation, 'query', 'format'>;

export interface Options<Operation extends Name> {
  /** Such as `If-Match`, or an `Idempotency-Key` of your own. */
  headers?: Members<Operation, 'header', 'If-None-Match'>;
  /** Only for the few operations that take a query besides a body. */
  query?: operations[Operation] extends { requestBody: object } ? Query<Operation> : never;
  /** Ends the call and its retries. */
  signal?: AbortSignal;
}

type Success<Operation extends Name> = Json<
  operations[Operation]['responses'][keyof operations[Operation]['responses'] & (200 | 201 | 202)]
>;
type Data<Operation extends Name> = Success<Operation> extends { data: infer Found } ? Found : never;

/** The `data` of the response. Rejects with an `ApiError` for any other. */
export type Received<Operation extends Name> = Promise<Data<Operation>>;
/** The items of the first page; with `for await`, those of all pages, each read when it is needed. */
export type Listed<Operation extends Name> = Received<Operation> &
  (Data<Operation> extends readonly (infer Item)[] ? AsyncIterable<Item> : never);
