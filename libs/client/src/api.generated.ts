// Generated from the OpenAPI document: change that, then run `npm run generate` in libs/client.

export interface paths {
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List events
     * @description Newest first, or soonest first with `sort=startsAt`. Filtering and sorting use an instance's merged fields, inherited or not. `from` and `to` bound `startsAt`, both inclusive; `endsAfter` with the current time finds what is on, also what began before, and what is to come; `q` matches the beginnings of words in the name or description. A cursor belongs to one order; page on with the same filters. `availability=true` shows what is left of each event and from which price; `facets=true` counts the events at each venue and of each status.
     *
     *     Scope: `events:read`.
     */
    get: operations['listEvents'];
    put?: never;
    /**
     * Create an event
     * @description A single event, a series, or with `seriesId` an instance of one. Statuses are draft, published, postponed, cancelled, completed, archived; any may follow any other. A `draft`, `cancelled`, `completed` or `archived` event sells no tickets. Without a status, an event is `published`.
     *
     *     Scope: `events:write`.
     */
    post: operations['createEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an event
     * @description Scope: `events:read`.
     */
    get: operations['getEvent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change an event
     * @description A JSON merge patch: absent fields stay, null removes a field. The whole result is validated. Once an event is `draft`, `cancelled`, `completed` or `archived`, no order sent after the answer gets tickets of it, nor of the instances that inherit its status. Pending orders can still be confirmed, unless it is `cancelled`: confirming them cancels them. A change of `timezone` keeps the clock times of the event, its offerings' sale windows and its instances: the response shows the new instants. An event that had no time zone keeps its instants. To move a series, send `startsAt` and `endsAt`: they are its duration, which its instances without an `endsAt` of their own have too.
     *
     *     Scope: `events:write`.
     */
    patch: operations['updateEvent'];
    trace?: never;
  };
  '/v1/events/{seriesId}/instances': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create an instance of a series
     * @description The body holds what differs from the series. It is optional. An instance that has its own `startsAt` alone lasts as long as its series on the clock: from 22:00 to 04:00 also in the night in which the clocks change.
     *
     *     Scope: `events:write`.
     */
    post: operations['createInstance'];
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change many dates of a series
     * @description Each date that `filter` matches is changed as `PATCH /events/{seriesId}/instances/{instanceId}` would change it, or left alone as a whole. The response says which, and why. `startsAt` and `endsAt` are clock times here: `20:30` is 20:30 on the day of each date, also when the clocks change.
     *
     *     What was set for one date alone is kept: a date is `overridden` if a field that would change has a value of its own that it did not get with other dates, by a rule or a change of many. Its start counts only if the date was moved since it was made. Tickets are kept too: a date with tickets that are sold or held is not moved, nor cancelled, and its capacity stays at least that, even if orders are placed in the same moment. `include` changes these dates all the same.
     *
     *     Many dates take longer than a request: then the response is 202, and `GET /events/{seriesId}/date-jobs/{jobId}` shows its progress.
     *
     *     Scope: `events:write`.
     */
    patch: operations['updateInstances'];
    trace?: never;
  };
  '/v1/events/{seriesId}/instances/by-rule': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create the dates of a series by a rule
     * @description One instance for each date of a recurrence rule. A date that the series has already is left as it is, so a repeat makes no date twice, and a longer rule adds what is missing. Many dates take longer than a request: then the response is 202, and `GET /events/{seriesId}/date-jobs/{jobId}` shows its progress.
     *
     *     Scope: `events:write`.
     */
    post: operations['createInstancesByRule'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{seriesId}/date-jobs/{jobId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * See how far work on many dates is
     * @description Dates that are made by a rule, or changed together. For seven days after it is done.
     *
     *     Scope: `events:read`.
     */
    get: operations['getInstancesJob'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{seriesId}/instances/{instanceId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change an instance
     * @description A field that you send with another value than the instance shows becomes an override. Null removes the override, and the field is the series' again. The `status` `cancelled` calls off this instance alone, and ends its sale.
     *
     *     Scope: `events:write`.
     */
    patch: operations['updateInstance'];
    trace?: never;
  };
  '/v1/events/{seriesId}/instances/{instanceId}/revert': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revert instance fields to parent values
     * @description Removes the overrides of `fields`. A field that is not overridden is no error. The date of an instance is an override too: reverting `startsAt` gives it the date of the series. To undo a move, change the instance back.
     *
     *     Scope: `events:write`.
     */
    post: operations['revertInstance'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}/purchase-groups': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List purchase groups
     * @description Newest first.
     *
     *     Scope: `events:read`.
     */
    get: operations['listPurchaseGroups'];
    put?: never;
    /**
     * Create a purchase group
     * @description Scope: `events:write`.
     */
    post: operations['createPurchaseGroup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}/purchase-groups/{pgid}/merge': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Merge two purchase groups
     * @description Merges the source into the target. `combinedSize` must be the sum of both current sizes, so that you merge the groups that you have seen; `If-Match` is about the target. Members with the same `id`, `customerId` or `email` (whatever its case) are one person, also if only a third member connects them: the first record stays, and takes the identities that it lacks from the others. Either both groups change or neither does.
     *
     *     Scope: `events:write`.
     */
    post: operations['mergePurchaseGroups'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}/purchase-groups/{pgid}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a purchase group
     * @description Scope: `events:read`.
     */
    get: operations['getPurchaseGroup'];
    put?: never;
    post?: never;
    /**
     * Delete a purchase group
     * @description The group and what it says of its members are gone for good.
     *
     *     Scope: `events:write`.
     */
    delete: operations['deletePurchaseGroup'];
    options?: never;
    head?: never;
    /**
     * Change a purchase group
     * @description A JSON merge patch: absent fields stay, `members` replaces them all, and with `size` null the group is as large as its members. A group never has more members than its size, and a merged group is not changed any more.
     *
     *     Scope: `events:write`.
     */
    patch: operations['updatePurchaseGroup'];
    trace?: never;
  };
  '/v1/events/{id}/offerings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the offerings of an event
     * @description Newest first.
     *
     *     Scope: `events:read`.
     */
    get: operations['listOfferings'];
    put?: never;
    /**
     * Create an offering
     * @description It is sold for this event alone. Instances do not inherit the offerings of their series: what is created on the series counts against the series.
     *
     *     Scope: `events:write`.
     */
    post: operations['createOffering'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/offerings/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an offering
     * @description Scope: `events:read`.
     */
    get: operations['getOffering'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change an offering
     * @description A JSON merge patch: absent fields stay. Carts show the new price the next time they are read. A new capacity holds for every order after the response, and counts every ticket since the first order. A new `maxPerCustomer` holds for every order after the response, too.
     *
     *     Scope: `events:write`.
     */
    patch: operations['updateOffering'];
    trace?: never;
  };
  '/v1/pricing/budgets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List budgets
     * @description Newest first, each with its `usage`.
     *
     *     Scope: `pricing:read`.
     */
    get: operations['listBudgets'];
    put?: never;
    /**
     * Create a budget
     * @description A budget limits how much discounts take off. Adjustments and coupons draw on it that name it as `budgetId` in their conditions; several may share one. What they take off is counted to the cent, and orders never take more, however many are placed at once.
     *
     *     An order that is cancelled, expires or is amended gives back what it no longer takes.
     *
     *     Scope: `pricing:write`.
     */
    post: operations['createBudget'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pricing/budgets/{budgetId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a budget
     * @description Scope: `pricing:read`.
     */
    get: operations['getBudget'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change a budget
     * @description A JSON merge patch. `per` and `limit.currency` stay as they are: create another budget instead. A limit below what is spent leaves nothing, and takes nothing back.
     *
     *     Scope: `pricing:write`.
     */
    patch: operations['updateBudget'];
    trace?: never;
  };
  '/v1/pricing/adjustments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List price adjustments
     * @description Newest first, including the adjustments of coupons, each with its `usage`.
     *
     *     Scope: `pricing:read`.
     */
    get: operations['listAdjustments'];
    put?: never;
    /**
     * Create a price adjustment
     * @description The company is always that of the key, also inside each `targets[].urn`. `id`, `companyId`, `created` and `changed` are ignored.
     *
     *     `stacking` says how adjustments combine: `replace-within-category` keeps the best one for the buyer of each category, `stackable` adds up, `exclusive` applies alone if the buyer then pays no more than with all others together. `effectBase` is what the effect is computed on: the list price, or the price after the previous adjustments.
     *
     *     `application` says when: an adjustment `at-listing` changes what a ticket is listed at, and everything `at-checkout` starts from that price. Adjustments at listing compete and exclude each other among themselves, and so do those at checkout.
     *
     *     An adjustment of type `coupon` needs `conditions.code`, kept trimmed and upper-cased.
     *
     *     Scope: `pricing:write`.
     */
    post: operations['createAdjustment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pricing/adjustments/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a price adjustment
     * @description Scope: `pricing:read`.
     */
    get: operations['getAdjustment'];
    put?: never;
    post?: never;
    /**
     * Archive a price adjustment
     * @description The adjustment no longer applies and its code is free again. Its redemptions stay in the ledger.
     *
     *     Scope: `pricing:write`.
     */
    delete: operations['archiveAdjustment'];
    options?: never;
    head?: never;
    /**
     * Change a price adjustment
     * @description A JSON merge patch: what is absent stays, in `conditions` and `effect` too; null removes a field. An `effect` of another `kind` replaces the one there is. The whole result is validated as if it were new, unless `status` alone is changed to `paused` or `archived`. To change a coupon's adjustment, change the coupon.
     *
     *     Scope: `pricing:write`.
     */
    patch: operations['updateAdjustment'];
    trace?: never;
  };
  '/v1/pricing/adjustments/evaluate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Evaluate price adjustments for an offering
     * @description Changes nothing. Loads every active or scheduled adjustment of the company, keeps those whose targets and conditions match, resolves stacking, and applies the rest: at-listing adjustments, then exclusive ones, then per unit, then per order; within each, by priority, then oldest first.
     *
     *     `droppedAdjustments` lists what did not apply, with the reason as a code and as a sentence. `codes` has a result for every presented code. Evaluating checks caps but claims nothing: placing the order decides.
     *
     *     With `proposed` you get the price as if those adjustments were saved; nothing is saved. New ones are called `proposed_0`, `proposed_1` and so on, in your order. They are validated as if you saved them: an invalid field is a 400, a code that another adjustment holds a 409.
     *
     *     Codes are secrets: to a key without `pricing:read`, an adjustment that needs a code that was not presented shows neither its name nor its code.
     *
     *     Scope: `pricing:evaluate`.
     */
    post: operations['evaluateAdjustments'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pricing/adjustments/{id}/redemptions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the redemptions of an adjustment
     * @description The ledger, newest first, including released redemptions.
     *
     *     Scope: `pricing:read`.
     */
    get: operations['listRedemptions'];
    put?: never;
    /**
     * Redeem an adjustment for an order in another system
     * @description For orders that you keep in another system; orders placed through this API redeem automatically. A repeat for the same adjustment and order returns the first redemption. A cap is never exceeded. Where the adjustment counts tickets or draws on a budget, `tickets` and `amount` are required, and given back with the redemption.
     *
     *     Scope: `pricing:redeem`.
     */
    post: operations['redeemAdjustment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pricing/adjustments/{id}/redemptions/{redemptionId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Release a redemption
     * @description Releases a redemption, so that another order can use its place. Releasing it again is no error. A redemption of an order placed through this API is released when the order is cancelled.
     *
     *     Scope: `pricing:redeem`.
     */
    delete: operations['releaseRedemption'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/coupons': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List coupons
     * @description Returns the coupons that match all filters, newest first, without archived ones.
     *
     *     Scope: `coupons:read`.
     */
    get: operations['listCoupons'];
    put?: never;
    /**
     * Create a coupon
     * @description No field is required, but a coupon has no effect until it has a code, or `uniqueCodes`, and a discount: `percentOff`, or `amountOff` in minor units, not both. The discount is taken off each ticket, or once off the order with `per: "order"`. It applies to `contextIds` (events, series with all their instances, venues whose ids begin with `ven_`, organizations whose ids begin with `org_`) and `offeringIds`. If you send both, an offering must match both; if you send neither, the coupon applies to every event of the company.
     *
     *     A coupon can do whatever a price adjustment can: `effect` takes the place of `percentOff` or `amountOff`, and every condition of an adjustment is a member of the coupon.
     *
     *     Other names are accepted for some fields: `discountType` with `discountValue` for `percentOff` or `amountOff`, `maxUses` and `maxRedemptions` for `limit`, `endsAt` for `expiresAt`, and `limitPerCustomer` for `maxRedemptionsPerCustomer`. One that contradicts its field is refused.
     *
     *     Scope: `coupons:write`.
     */
    post: operations['createCoupon'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/coupons/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a coupon
     * @description Scope: `coupons:read`.
     */
    get: operations['getCoupon'];
    put?: never;
    post?: never;
    /**
     * Archive a coupon
     * @description The coupon no longer applies and its code is free again.
     *
     *     Scope: `coupons:write`.
     */
    delete: operations['archiveCoupon'];
    options?: never;
    head?: never;
    /**
     * Update a coupon
     * @description Absent fields stay, null clears a field; `percentOff`, `amountOff` and `effect` replace each other; `effect` is replaced as a whole. Set `status` to `active`, which also restores an archived coupon, or to `inactive`. You can send a coupon back as you read it: a computed status is ignored beside other fields.
     *
     *     Scope: `coupons:write`.
     */
    patch: operations['updateCoupon'];
    trace?: never;
  };
  '/v1/coupons/{id}/codes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List or export issued codes
     * @description Returns the codes that match all filters. With `format` the response is a stream of all of them, without envelope and pages: `ndjson` has one code as JSON in each line, `csv` one row.
     *
     *     Scope: `coupons:read`.
     */
    get: operations['listCodes'];
    put?: never;
    /**
     * Issue codes
     * @description Gives each buyer a code of their own. The coupon needs `uniqueCodes: true`; everything else about the discount is said by the coupon, once for all codes. `count` makes random codes, `codes` issues yours.
     *
     *     Making many takes a while: then the response is 202, and `GET /coupons/{id}/codes/batches/{batchId}` shows its progress. Those that exist can be redeemed at once.
     *
     *     Buyers may enter a code in lower case, and without dashes or spaces. Each counts `limitPerCode` times, and all codes of the coupon together as its `limit` says.
     *
     *     Scope: `coupons:write`.
     */
    post: operations['issueCodes'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/coupons/{id}/codes/batches': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List batches of codes
     * @description Returns the batches of the coupon, newest first.
     *
     *     Scope: `coupons:read`.
     */
    get: operations['listCodeBatches'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/coupons/{id}/codes/batches/{batchId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a batch of codes
     * @description Scope: `coupons:read`.
     */
    get: operations['getCodeBatch'];
    put?: never;
    post?: never;
    /**
     * Revoke a batch of codes
     * @description No order can redeem its codes any more. Those that have one keep it. Codes that are not made yet are not made. Revoking many takes a while: then the response is 202.
     *
     *     Scope: `coupons:write`.
     */
    delete: operations['revokeCodeBatch'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/coupons/{id}/codes/{code}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an issued code
     * @description Whether it was used, and by which orders.
     *
     *     Scope: `coupons:read`.
     */
    get: operations['getCode'];
    put?: never;
    post?: never;
    /**
     * Revoke an issued code
     * @description No order can redeem it any more. One that has it keeps it.
     *
     *     Scope: `coupons:write`.
     */
    delete: operations['revokeCode'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cart/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List cart sessions
     * @description Sessions that have not expired, with current prices, in the order of their ids, the last one first: newest first, unless they have ids of your own.
     *
     *     Scope: `carts:read`.
     */
    get: operations['listCartSessions'];
    put?: never;
    /**
     * Create a cart session
     * @description The body is optional. Adding an item to an unknown id creates a session too. A session that does not change for some days, 7 by default, expires.
     *
     *     Scope: `carts:write`.
     */
    post: operations['createCartSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cart/sessions/{id}/item': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add, update or remove a cart item
     * @description Sets the quantity of one offering; 0 removes it. The price comes from the offering catalogue; send `price` for an offering that is not in it. Creates the session if there is none with this id.
     *
     *     Scope: `carts:write`.
     */
    post: operations['setCartItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cart/sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a cart session
     * @description Returns current prices: adjustments start and end without a change of the cart. While pricing does not respond, it returns those of the last change (`priceStatus` is `stored`).
     *
     *     Scope: `carts:read`.
     */
    get: operations['getCartSession'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Update a cart session
     * @description `items` and `coupons` each replace the whole list. Absent fields stay.
     *
     *     Scope: `carts:write`.
     */
    patch: operations['updateCartSession'];
    trace?: never;
  };
  '/v1/cart/table-commitments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List table commitments
     * @description In the order of their ids, the last one first: newest first, unless they have ids of your own.
     *
     *     Scope: `carts:read`.
     */
    get: operations['listTableCommitments'];
    put?: never;
    /**
     * Create a table commitment
     * @description Cart sessions of the same context can join the table, each with one seat or more.
     *
     *     Scope: `carts:write`.
     */
    post: operations['createTableCommitment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cart/sessions/{id}/join-table': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Join a table commitment
     * @description Takes 1 seat, or as many as `seats` says; joining the same table again with another number changes that. A session joins at most one table. Seats are never oversold. Without an order they are free again at `seatHeldUntil`: an hour after the last change of the session, by default.
     *
     *     Scope: `carts:write`.
     */
    post: operations['joinTable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cart/sessions/{id}/leave-table': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Leave a table commitment
     * @description Frees the seat of the session; a table that was full is open again. Leaving without a seat is no error.
     *
     *     Scope: `carts:write`.
     */
    post: operations['leaveTable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/cart/table-commitments/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a table commitment
     * @description Scope: `carts:read`.
     */
    get: operations['getTableCommitment'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the number of seats of a table commitment
     * @description Not below the number of seats that are taken. A table that was full is open again if it gets more seats; a closed one stays closed.
     *
     *     Scope: `carts:write`.
     */
    patch: operations['updateTableCommitment'];
    trace?: never;
  };
  '/v1/cart/table-commitments/{id}/close': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Close a table commitment
     * @description No more sessions can join. Those that have a seat keep it.
     *
     *     Scope: `carts:write`.
     */
    post: operations['closeTableCommitment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List orders
     * @description Returns the orders that match all filters, newest first. `from` (inclusive) and `to` (exclusive) bound the time of creation.
     *
     *     With `format` the response is a stream of every order that matches, without envelope and pages: `ndjson` has one order as JSON in each line, `csv` one row. If it breaks off, the connection is closed without its end.
     *
     *     Scope: `orders:read`.
     */
    get: operations['listOrders'];
    put?: never;
    /**
     * Create an order
     * @description Prices the order and takes everything that it needs: redemptions of what made the price, a ticket for each unit of an offering, the cart session and its seat. If any of it is not available, no order is placed and nothing is taken; the error says why. `context` may be inside `order` or beside it.
     *
     *     An item costs what the catalogue says; an offering that is not in it costs the `unitPrice` of the item, and without one it is a 409 `NOT_FOR_SALE`. With `orders:write`, an order in which nothing has a price is accepted; its items cost 0 and are `priced: false`. An item without an `offeringId` and without a price is accepted in any order of such a key, at 0; with `orders:checkout` alone it is a 400. With `cartSessionId` and no `items`, the order is the cart. `cartVersion` is the version of the cart that the buyer was shown: if the cart has changed since, it is a 409 `CART_CHANGED`. `expectedTotal` is the total that the buyer was shown: the order costs that, or it is a 409 `PRICE_CHANGED`.
     *
     *     A key with `orders:write` may state other prices: `unitPrice` or `total` of an item, `costs.subtotal` and `costs.total`. They stand, and `pricing` says what the platform would have charged. A key with `orders:checkout` alone cannot.
     *
     *     A code that no active adjustment has is a 400. One that does not count for this order is a 409 with the reason that an evaluation gives. One that lost against a better one is not redeemed, and `coupons` says why.
     *
     *     With `expiresInSeconds` the order is `pending`: its price stands, and what it needs is held, until it is confirmed or cancelled, or expires by itself and gives everything back.
     *
     *     A repeat with the same `orderNumber` and content returns the first order, even while that one is being placed, and never takes anything twice.
     *
     *     Scope: `orders:write` or `orders:checkout`.
     */
    post: operations['createOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an order
     * @description By its id, or its order number. A key with `orders:checkout` alone reads the orders placed with it, or with a key that it replaces.
     *
     *     Scope: `orders:read` or `orders:checkout`.
     */
    get: operations['getOrder'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Update an order
     * @description A JSON merge patch that changes everything except what was bought: `status` (a label of your own on a placed order), `customer`, `agreements`, `answers`, `forwarded` and `meta`. Objects are merged member by member; null removes a member. Sending a different value for what was bought is a 400.
     *
     *     Scope: `orders:write`.
     */
    patch: operations['updateOrder'];
    trace?: never;
  };
  '/v1/orders/{id}/extend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a pending order more time
     * @description Moves `expiresAt`, for a buyer who is still paying: the order keeps its price and everything that it holds. It never moves closer, and at most to 7 days after the order became pending. A pending order without `expiresAt`, and a placed one, stay as they are. A key with `orders:checkout` alone extends the pending orders that were placed with it, or with a key that it replaces.
     *
     *     Scope: `orders:write` or `orders:checkout`.
     */
    post: operations['extendOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders/{id}/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Confirm a pending order
     * @description Makes it `placed`. Confirming a placed order changes nothing. With `expectedTotal`, only if the order costs that. If an event of the order was cancelled in the meantime, this cancels the order, and is a 409 `NOT_FOR_SALE`: give the money back.
     *
     *     Scope: `orders:write`.
     */
    post: operations['confirmOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders/{id}/amendments/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview a change of what an order bought
     * @description What `POST /orders/{id}/amendments` would come to in both modes, or why it would be refused. Takes and changes nothing: others may buy meanwhile what it adds. Only the amendment checks how many tickets the customer may have in all.
     *
     *     Scope: `orders:write` or `orders:checkout`.
     */
    post: operations['previewAmendment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders/{id}/amendments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the changes of an order
     * @description Newest first. An order has at most 50. A key with `orders:checkout` alone reads those of the orders that were placed with it.
     *
     *     Scope: `orders:read` or `orders:checkout`.
     */
    get: operations['listAmendments'];
    put?: never;
    /**
     * Change what an order bought
     * @description Returns tickets, adds others, exchanges them, or changes codes, at once and to the cent. The body says what the order should be, so a repeat changes nothing. What is added is claimed, all or nothing; what is returned can be bought by the next request. `due` is what is to be paid, or, negative, to be paid back: the platform moves no money. Try it with the preview. With `expiresInSeconds`, an amendment of a placed order is `pending`: what it adds is held while the buyer pays, and the order stays as it is until the amendment is confirmed. A key with `orders:checkout` alone amends the pending orders that were placed with it.
     *
     *     Scope: `orders:write` or `orders:checkout`.
     */
    post: operations['amendOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders/{id}/amendments/{amendmentId}/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Apply a pending change of an order
     * @description The order is amended: what was held for it is sold, and what it returns can be bought by the next request. Confirming an amendment that is applied changes nothing. If an event whose tickets it adds was cancelled, this cancels the amendment and returns 409 `NOT_FOR_SALE`: refund the buyer.
     *
     *     Scope: `orders:write` or `orders:checkout`.
     */
    post: operations['confirmAmendment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders/{id}/amendments/{amendmentId}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a pending change of an order
     * @description The order stays as it is, and what was held for the amendment can be had by the next request. Cancelling an amendment that was cancelled or has expired changes nothing. One that is applied is not cancelled: amend the order back. Cancelling the order cancels its pending amendment too.
     *
     *     Scope: `orders:write` or `orders:checkout`.
     */
    post: operations['cancelAmendment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders/{id}/amendments/{amendmentId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a change of an order
     * @description A key with `orders:checkout` alone reads those of the orders that were placed with it.
     *
     *     Scope: `orders:read` or `orders:checkout`.
     */
    get: operations['getAmendment'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel an order
     * @description Releases its redemptions, tickets and seats: the next request can have them. Only while a part of the platform does not respond are they released later. Its cart session is open again, with its items and codes, and without a seat. Cancelling an order that was cancelled or has expired changes nothing. A key with `orders:checkout` alone cancels the pending orders that were placed with it, or with a key that it replaces.
     *
     *     Scope: `orders:write` or `orders:checkout`.
     */
    post: operations['cancelOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/orders/{id}/reopen': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reopen an order
     * @description Makes a cancelled or expired order `placed` again, at the price that it had; with `expiresInSeconds` it becomes `pending`. Takes its redemptions, tickets and seat once more: all of them, or the order stays as it is. Reopening an order that is pending or placed changes nothing.
     *
     *     Scope: `orders:write`.
     */
    post: operations['reopenOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sales': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count sales over time
     * @description Orders, tickets, revenue and discounts by hour or day: of all orders, of an event, or of a series with its instances.
     *
     *     Everything counts at the time at which it happened: an order when it is placed, confirmed or reopened; what it gives back when it is cancelled or amended. A pending order counts once it is confirmed. Orders are counted as they change, within a second; `countedUntil` says how far.
     *
     *     What was sold and what was returned are counted apart: subtract one from the other to get what stands. An order with items of several events counts for each of them with its items; fees and tax belong to the order, and count only in the sales of all.
     *
     *     Scope: `orders:read`.
     */
    get: operations['getSales'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sales/adjustments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count redemptions over time
     * @description How often each price adjustment was redeemed by hour or day, coupons included, and what it took off or added.
     *
     *     Everything counts at the time at which it happened: an order when it is placed, confirmed or reopened; what it gives back when it is cancelled or amended. A pending order counts once it is confirmed. Orders are counted as they change, within a second; `countedUntil` says how far.
     *
     *     Scope: `orders:read`.
     */
    get: operations['getSalesByAdjustment'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pricing/rehearsals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rehearse a campaign
     * @description Says what the orders of a period would have cost if adjustments had been different: created, changed or archived. Replays the orders in the order in which they were placed, with caps and budgets that fill as they would have. Changes nothing, and writes nothing but its report, which is kept for seven days.
     *
     *     A period with many orders takes a while: then the response is 202, and `GET /pricing/rehearsals/{rehearsalId}` shows its progress. Needs `orders:read` too. A company has one at a time.
     *
     *     A changed adjustment counts for the whole period as it would be if the change were saved now. All others count as they did. Orders that were amended, or placed at prices that the caller stated, count as they are.
     *
     *     Scope: `pricing:read`.
     */
    post: operations['createRehearsal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pricing/rehearsals/{rehearsalId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a rehearsal
     * @description Its progress, and its report once it is done. Needs `orders:read` too.
     *
     *     Scope: `pricing:read`.
     */
    get: operations['getRehearsal'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}/call-off': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * See how far a call-off is
     * @description The last call-off of the event, with what became of its orders. For a year.
     *
     *     Scope: `events:read`.
     */
    get: operations['getCallOff'];
    put?: never;
    /**
     * Call off an event
     * @description The sale stops with the response: the event is `cancelled`, no order gets tickets of it, and pending ones can no longer be confirmed. Then its orders are cancelled, with everything that they hold: redemptions, tickets and seats. Of an order that also has something else, only the tickets of the event are returned, at the price that was paid. Orders that were being placed are either refused or among them.
     *
     *     Many orders take longer than a request: then the response is 202, and `GET /events/{id}/call-off` shows its progress. With `cancelOrders` false the orders stay, and are listed. A call-off that is running or done does not start again; one that only listed the orders can be followed by one that cancels them.
     *
     *     A series is called off date by date: each instance is called off alone. Cancelling orders also needs `orders:write`.
     *
     *     Scope: `events:write`.
     */
    post: operations['callOffEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}/call-off/orders': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the orders of a called-off event
     * @description Newest first: whom to tell, and what to pay back. While the call-off is running, those that are dealt with. With `format` the response is a stream of all of them, without envelope and pages.
     *
     *     Scope: `orders:read`.
     */
    get: operations['listCalledOffOrders'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}/call-off/undo': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Undo a call-off
     * @description The event has the status from before, and what was not cancelled yet stays. Orders that were cancelled stay cancelled: `POST /orders/{id}/reopen` brings one back. Undoing it again changes nothing.
     *
     *     Scope: `events:write`.
     */
    post: operations['undoCallOff'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/activity': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what happened
     * @description Returns what happened in the company, newest first; with `after`, oldest first. A key sees entries about the kinds of records that its other scopes let it read: with `orders:read` those about orders.
     *
     *     To follow what happens, begin with `after=now` (or `oldest`), then send `page.next` of each response as `after` of the next request, and `wait=30` to be answered as soon as something happens. Store `page.next` with what you did: continuing from there, you miss nothing and need no open connection.
     *
     *     `collapse=subject` returns each record once, with its last entry: what changed since then.
     *
     *     Scope: `activity:read`.
     */
    get: operations['listActivity'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/activity/stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Stream what happens
     * @description Server-sent events: one for each entry, with its cursor as `id` and the entry as `data`. A key sees entries about the kinds of records that its other scopes let it read: with `orders:read` those about orders.
     *
     *     Every five seconds the stream sends an `id` alone. It ends after 15 minutes: connect again with the last id as `Last-Event-ID`, as `EventSource` does, and nothing is missed.
     *
     *     Scope: `activity:read`.
     */
    get: operations['streamActivity'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhooks
     * @description Newest first.
     *
     *     Scope: `webhooks:read`.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Create a webhook
     * @description Every event from now on is sent to `url` as a POST request, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. The body is an entry of the activity log without its cursor; `webhook-id` is the id of the event, the same at every repeat. Any 2xx response within 15 seconds is success.
     *
     *     Events of one record arrive in order. One that fails is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then parked; later events of the same record wait for it, others do not. While an endpoint is down, nothing is counted against any event: everything arrives when it is back.
     *
     *     The response has the `secret`, only this once. A repeat with the same Idempotency-Key gets 409 `ALREADY_EXISTS`.
     *
     *     Scope: `webhooks:write`.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a webhook
     * @description Scope: `webhooks:read`.
     */
    get: operations['getWebhook'];
    put?: never;
    post?: never;
    /**
     * Delete a webhook
     * @description A second after the response, no more attempts begin. Undelivered events are dropped.
     *
     *     Scope: `webhooks:write`.
     */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    /**
     * Change a webhook
     * @description A JSON merge patch. No attempt begins a second after a response that says `paused`. One that becomes active continues where it was paused, or with `"startFrom": "now"` at what happens next.
     *
     *     Scope: `webhooks:write`.
     */
    patch: operations['updateWebhook'];
    trace?: never;
  };
  '/v1/webhooks/{id}/secret/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate the secret of a webhook
     * @description Deliveries are signed with both secrets until the previous one ends.
     *
     *     Scope: `webhooks:write`.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event
     * @description Sends an event that is not in the log, signed like any other, and returns what came back within 5 seconds.
     *
     *     Scope: `webhooks:write`.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of a webhook
     * @description What became of each event that the webhook gets, newest event first, with its attempts of the last 7 days.
     *
     *     Scope: `webhooks:read`.
     */
    get: operations['listDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/deliveries/{eventId}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an event again
     * @description At once, whatever became of it before. If it arrives, later events of the same record that waited follow.
     *
     *     Scope: `webhooks:write`.
     */
    post: operations['resendDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send past events again
     * @description Sends all events of a span again, with the same ids. New events are delivered at the same time. `only: "parked"` sends the events that were given up.
     *
     *     Scope: `webhooks:write`.
     */
    post: operations['replayWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhooks/{id}/replays/{replayId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a replay
     * @description Scope: `webhooks:read`.
     */
    get: operations['getWebhookReplay'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/customers/{id}/erase': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Erase a customer
     * @description Removes what the company’s records say about one person: `{id}` is the `id` of a customer, a `uid`, or an e-mail address. It finds orders by `customer.id`, `uid` and `customer.email`, carts and redemptions by `customerId`, and members of purchase groups. An id and an address that only ever stand together are one person: either erases both.
     *
     *     Ids become `pseudonym`, the address `erased@erased.invalid`. Names, phone numbers, `uid`, `meta`, `answers`, `agreements`, `forwarded`, notes and other members of your own go. What was sold, what it cost, what was redeemed, and the ids of records stay. This cannot be undone.
     *
     *     Answers 200 when it is done within a few seconds, else 202: then read `/customers/erasures/{id}` until its `status` is `done`.
     *
     *     Scope: `customers:erase`.
     */
    post: operations['eraseCustomer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/customers/erasures/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an erasure
     * @description Its progress, and what it found. It does not say who was erased.
     *
     *     Scope: `customers:erase`.
     */
    get: operations['getErasure'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/admin/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List API keys
     * @description Newest first. Revoked and expired keys are listed for 90 days. `companyId` and `environment` are for the operator's key, which lists all keys by default.
     *
     *     Scope: `keys:admin`.
     */
    get: operations['listApiKeys'];
    put?: never;
    /**
     * Issue an API key
     * @description The response shows the key itself, only this once: it is not stored. Records made with a `test` key are invisible to `live` keys, and the reverse. With a company's key you can create keys only for the same company and environment, with no scope, rate limit or lifetime beyond its own; without `expiresAt` the new key ends with it. The operator's key creates keys for every company. A repeat with the same Idempotency-Key gets 409 `ALREADY_EXISTS`.
     *
     *     Scope: `keys:admin`.
     */
    post: operations['createApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/admin/keys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an API key
     * @description Scope: `keys:admin`.
     */
    get: operations['getApiKey'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/admin/keys/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate an API key
     * @description Issues a new key. The old one keeps working for `overlapSeconds`; without them it ends at once.
     *
     *     Scope: `keys:admin`.
     */
    post: operations['rotateApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/admin/keys/{id}/revoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke an API key
     * @description The key stops working everywhere within a second. Revoking it again changes nothing.
     *
     *     Scope: `keys:admin`.
     */
    post: operations['revokeApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the company uses of its quotas
     * @description How much the company stores of each kind, in the environment of the key, and how much it may store. A write that would exceed a quota returns 409 `QUOTA_EXCEEDED`, which names the quota. The counts may be a second old; expired records are noticed within minutes.
     *
     *     Any key of the company.
     */
    get: operations['getUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/healthz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the platform is alive
     * @description Needs no key.
     */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the platform is ready
     * @description Whether everything that the gateway depends on responds. Without Redis it is still ready, and each process counts rate limits on its own.
     *
     *     Needs no key.
     */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description The form of every error. */
    Error: {
      /** @constant */
      status: 'error';
      /**
       * @description Only if creating an order failed.
       * @constant
       */
      ok?: false;
      /** @description The same as error.message. */
      message: string;
      error: {
        /**
         * @description For programs: it does not change. By status: 400 `VALIDATION_FAILED` `MALFORMED_JSON` `BAD_REQUEST` · 401 `UNAUTHORIZED` · 403 `FORBIDDEN` · 404 `NOT_FOUND` `UNSUPPORTED_VERSION` `COUPON_NOT_FOUND` `ADJUSTMENT_NOT_FOUND` `BUDGET_NOT_FOUND` `REDEMPTION_NOT_FOUND` `CART_SESSION_NOT_FOUND` `TABLE_COMMITMENT_NOT_FOUND` `ORDER_NOT_FOUND` `EVENT_NOT_FOUND` `SERIES_NOT_FOUND` `INSTANCE_NOT_FOUND` `PURCHASE_GROUP_NOT_FOUND` `OFFERING_NOT_FOUND` `API_KEY_NOT_FOUND` `WEBHOOK_NOT_FOUND` `DELIVERY_NOT_FOUND` `REPLAY_NOT_FOUND` `ERASURE_NOT_FOUND` `AMENDMENT_NOT_FOUND` `DATES_NOT_FOUND` `CODE_NOT_FOUND` `BATCH_NOT_FOUND` `REHEARSAL_NOT_FOUND` `CALL_OFF_NOT_FOUND` · 405 `METHOD_NOT_ALLOWED` · 408 `REQUEST_TIMEOUT` · 409 `COUPON_CODE_TAKEN` `ORDER_NUMBER_TAKEN` `ORDER_EXPIRED` `ORDER_STATUS_CONFLICT` `REDEMPTION_LIMIT_REACHED` `REDEMPTION_HELD_BY_ORDER` `ADJUSTMENT_NOT_APPLICABLE` `PRICE_CHANGED` `AMENDMENT_PENDING` `AMENDMENT_EXPIRED` `AMENDMENT_STATUS_CONFLICT` `REHEARSAL_RUNNING` `CALL_OFF_RUNNING` `REPRICE_UNAVAILABLE` `SOLD_OUT` `CUSTOMER_LIMIT_REACHED` `CART_ALREADY_ORDERED` `CART_CHANGED` `NOT_FOR_SALE` `TABLE_NOT_JOINABLE` `SEATS_TAKEN` `VERSION_CONFLICT` `ALREADY_EXISTS` `QUOTA_EXCEEDED` `WEBHOOK_NOT_ACTIVE` `REPLAY_UNDER_WAY` `CUSTOMER_HAS_PENDING_ORDERS` `IDEMPOTENCY_KEY_IN_USE` · 410 `CURSOR_EXPIRED` · 413 `PAYLOAD_TOO_LARGE` · 414 `URI_TOO_LONG` · 415 `UNSUPPORTED_MEDIA_TYPE` · 417 `EXPECTATION_FAILED` · 422 `IDEMPOTENCY_KEY_REUSED` · 429 `RATE_LIMITED` · 431 `HEADERS_TOO_LARGE` · 500 `INTERNAL_ERROR` · 502 `BAD_GATEWAY` · 503 `SERVICE_UNAVAILABLE` · 504 `UPSTREAM_TIMEOUT`
         * @enum {string}
         */
        code:
          | 'VALIDATION_FAILED'
          | 'MALFORMED_JSON'
          | 'BAD_REQUEST'
          | 'UNAUTHORIZED'
          | 'FORBIDDEN'
          | 'NOT_FOUND'
          | 'UNSUPPORTED_VERSION'
          | 'COUPON_NOT_FOUND'
          | 'ADJUSTMENT_NOT_FOUND'
          | 'BUDGET_NOT_FOUND'
          | 'REDEMPTION_NOT_FOUND'
          | 'CART_SESSION_NOT_FOUND'
          | 'TABLE_COMMITMENT_NOT_FOUND'
          | 'ORDER_NOT_FOUND'
          | 'EVENT_NOT_FOUND'
          | 'SERIES_NOT_FOUND'
          | 'INSTANCE_NOT_FOUND'
          | 'PURCHASE_GROUP_NOT_FOUND'
          | 'OFFERING_NOT_FOUND'
          | 'API_KEY_NOT_FOUND'
          | 'WEBHOOK_NOT_FOUND'
          | 'DELIVERY_NOT_FOUND'
          | 'REPLAY_NOT_FOUND'
          | 'ERASURE_NOT_FOUND'
          | 'METHOD_NOT_ALLOWED'
          | 'REQUEST_TIMEOUT'
          | 'COUPON_CODE_TAKEN'
          | 'ORDER_NUMBER_TAKEN'
          | 'ORDER_EXPIRED'
          | 'ORDER_STATUS_CONFLICT'
          | 'REDEMPTION_LIMIT_REACHED'
          | 'REDEMPTION_HELD_BY_ORDER'
          | 'ADJUSTMENT_NOT_APPLICABLE'
          | 'PRICE_CHANGED'
          | 'AMENDMENT_NOT_FOUND'
          | 'AMENDMENT_PENDING'
          | 'AMENDMENT_EXPIRED'
          | 'AMENDMENT_STATUS_CONFLICT'
          | 'DATES_NOT_FOUND'
          | 'CODE_NOT_FOUND'
          | 'BATCH_NOT_FOUND'
          | 'REHEARSAL_NOT_FOUND'
          | 'REHEARSAL_RUNNING'
          | 'CALL_OFF_NOT_FOUND'
          | 'CALL_OFF_RUNNING'
          | 'REPRICE_UNAVAILABLE'
          | 'SOLD_OUT'
          | 'CUSTOMER_LIMIT_REACHED'
          | 'CART_ALREADY_ORDERED'
          | 'CART_CHANGED'
          | 'NOT_FOR_SALE'
          | 'TABLE_NOT_JOINABLE'
          | 'SEATS_TAKEN'
          | 'VERSION_CONFLICT'
          | 'ALREADY_EXISTS'
          | 'QUOTA_EXCEEDED'
          | 'WEBHOOK_NOT_ACTIVE'
          | 'REPLAY_UNDER_WAY'
          | 'CUSTOMER_HAS_PENDING_ORDERS'
          | 'IDEMPOTENCY_KEY_IN_USE'
          | 'CURSOR_EXPIRED'
          | 'PAYLOAD_TOO_LARGE'
          | 'URI_TOO_LONG'
          | 'UNSUPPORTED_MEDIA_TYPE'
          | 'EXPECTATION_FAILED'
          | 'IDEMPOTENCY_KEY_REUSED'
          | 'RATE_LIMITED'
          | 'HEADERS_TOO_LARGE'
          | 'INTERNAL_ERROR'
          | 'BAD_GATEWAY'
          | 'SERVICE_UNAVAILABLE'
          | 'UPSTREAM_TIMEOUT';
        /** @description For people: it may change. */
        message: string;
        /** @description Identifies the request in the log; also in the header x-request-id. */
        requestId: string;
        /** @description The fields that the error is about, if there are any. */
        details?: ({
          /** @description Dotted, as the caller wrote it: order.customer.email */
          path: string;
          message: string;
        } & {
          [key: string]: unknown;
        })[];
      };
    };
    EventInput: {
      name?: string;
      description?: string;
      /**
       * Format: date-time
       * @description Without a zone: local time in the event's `timezone`, or UTC if it has none.
       */
      startsAt?: string;
      /**
       * Format: date-time
       * @description Without a zone: local time in the event's `timezone`, or UTC if it has none.
       */
      endsAt?: string;
      /** @example Europe/Berlin */
      timezone?: string;
      venueId?: string;
      organizerId?: string;
      /** @description How many tickets the event sells, of all its offerings together; each instance of a series has a count of its own. Tickets count from the first order on, whether or not there is a capacity. */
      capacity?: number;
      /** @description How many tickets of the event one customer may have, in pending and placed orders together; each instance of a series has a count of its own. An order counts under the `id` and the `email` of its customer, and is refused if either has no room. Orders count if they are placed, amended or reopened while there is a limit. */
      maxPerCustomer?: number;
      /**
       * @description A `published` or `postponed` event sells tickets; a `draft`, `cancelled`, `completed` or `archived` one does not. An event is `published` unless it says otherwise.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'postponed' | 'cancelled' | 'completed' | 'archived';
      tags?: string[];
      /**
       * @description Without it: `instance` if there is a `seriesId`, `single` if not.
       * @enum {string}
       */
      kind?: 'single' | 'series' | 'instance';
      /** @description The series of an instance. */
      seriesId?: string;
      id?: string;
    };
    EventPatch: {
      name?: string | null;
      description?: string | null;
      startsAt?: string | null;
      endsAt?: string | null;
      timezone?: string | null;
      venueId?: string | null;
      organizerId?: string | null;
      capacity?: number | null;
      maxPerCustomer?: number | null;
      status?: ('draft' | 'published' | 'postponed' | 'cancelled' | 'completed' | 'archived') | null;
      tags?: string[] | null;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly kind?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly seriesId?: unknown;
    };
    /** @default {} */
    InstanceInput: {
      name?: string;
      description?: string;
      /**
       * Format: date-time
       * @description Without a zone: local time in the event's `timezone`, or UTC if it has none.
       */
      startsAt?: string;
      /**
       * Format: date-time
       * @description Without a zone: local time in the event's `timezone`, or UTC if it has none.
       */
      endsAt?: string;
      /** @example Europe/Berlin */
      timezone?: string;
      venueId?: string;
      organizerId?: string;
      /** @description How many tickets the event sells, of all its offerings together; each instance of a series has a count of its own. Tickets count from the first order on, whether or not there is a capacity. */
      capacity?: number;
      /** @description How many tickets of the event one customer may have, in pending and placed orders together; each instance of a series has a count of its own. An order counts under the `id` and the `email` of its customer, and is refused if either has no room. Orders count if they are placed, amended or reopened while there is a limit. */
      maxPerCustomer?: number;
      /**
       * @description A `published` or `postponed` event sells tickets; a `draft`, `cancelled`, `completed` or `archived` one does not. An event is `published` unless it says otherwise.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'postponed' | 'cancelled' | 'completed' | 'archived';
      tags?: string[];
      id?: string;
    };
    ChangeManyDates: {
      /** @description Which dates: those that start on these days, in their time zone. `{}` means all dates of the series. At most 1,200 dates may match. Instances without a `startsAt` are no dates. */
      filter: {
        /**
         * Format: date
         * @description The first day.
         */
        from?: string;
        /**
         * Format: date
         * @description The last day.
         */
        to?: string;
        weekdays?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
      };
      /** @description What each of them gets: the fields of an instance, as in `PATCH /events/{id}`. Null ends an override. */
      change: components['schemas']['ChangeOfDates'];
      /**
       * @description Dates that would be left alone for these reasons are changed too.
       * @default []
       */
      include?: ('overridden' | 'sold' | 'over' | 'cancelled')[];
      /**
       * @description Only shows which dates would be changed, and which left alone.
       * @default false
       */
      dryRun?: boolean;
    };
    ChangeOfDates: {
      name?: string | null;
      description?: string | null;
      /** @description A clock time. Each date stays on its day. */
      startsAt?: string;
      /** @description A clock time: the first one after the start, so it may be on the next day. Null: the date lasts as long as the series. */
      endsAt?: string | null;
      timezone?: string | null;
      venueId?: string | null;
      organizerId?: string | null;
      capacity?: number | null;
      maxPerCustomer?: number | null;
      status?: ('draft' | 'published' | 'postponed' | 'cancelled' | 'completed' | 'archived') | null;
      tags?: string[] | null;
    };
    DatesByRule: {
      /** @description A recurrence rule of RFC 5545, such as `FREQ=WEEKLY;BYDAY=FR,SA;UNTIL=20271231`. It must end, with `UNTIL` or `COUNT`, and gives at most 1,200 dates. It is about clock times in the time zone of the series: 20:00 stays 20:00 when the clocks change. */
      rule: string;
      /**
       * Format: date-time
       * @description The first date begins then, or at the first time of the rule after it. Without a zone: local time in the event's `timezone`, or UTC if it has none.
       */
      startsAt: string;
      /** @description Days without a date, such as holidays. Those that the rule does not have anyway do no harm. */
      exclude?: string[];
      /** @description The capacity of each date. Absent: that of the series. */
      capacity?: number;
      /** @description `copy` gives each date the offerings of the series, each with a count of its own; a list of ids only those. The end of a sale moves along: two hours before the series starts becomes two hours before the date. */
      offerings?: 'copy' | string[];
      /**
       * @description Only shows the dates.
       * @default false
       */
      dryRun?: boolean;
    };
    RevertInstance: {
      fields: (
        | 'name'
        | 'description'
        | 'startsAt'
        | 'endsAt'
        | 'timezone'
        | 'venueId'
        | 'organizerId'
        | 'capacity'
        | 'maxPerCustomer'
        | 'status'
        | 'tags'
      )[];
    };
    PurchaseGroupInput: {
      name: string;
      size?: number;
      members?: (string | components['schemas']['GroupMember'])[];
    };
    GroupMember: {
      id?: string;
      customerId?: string;
      name?: string;
      /** Format: email */
      email?: string;
    } & {
      [key: string]: unknown;
    };
    MergePurchaseGroups: {
      sourceGroupId: string;
      combinedSize: number;
      note: string;
    };
    PurchaseGroupPatch: {
      name?: string;
      size?: number | null;
      members?: (string | components['schemas']['GroupMember'])[] | null;
    };
    OfferingInput: {
      id?: string;
      name: string;
      price: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      /**
       * @description At most 8192 bytes as JSON together.
       * @default []
       */
      tags?: string[];
      /**
       * @default active
       * @enum {string}
       */
      status?: 'active' | 'inactive';
      /** @description How many tickets there are. May be lowered below what is sold: then none is left. */
      capacity?: number;
      /** @description How many tickets one order may have. */
      maxPerOrder?: number;
      /** @description How many tickets one customer may have, in pending and placed orders together. An order counts under the `id` and the `email` of its customer, and is refused if either has no room. Orders count if they are placed, amended or reopened while there is a limit. */
      maxPerCustomer?: number;
      /**
       * Format: date-time
       * @description When the sale begins. Without a zone: local time in the event's `timezone`, or UTC if it has none.
       */
      onSaleFrom?: string;
      /**
       * Format: date-time
       * @description When the sale is over. Without it: when the event is over, which is its `endsAt`, or else 24 hours after its `startsAt`. An offering of a series without it is sold without end. Without a zone: local time in the event's `timezone`, or UTC if it has none.
       */
      onSaleUntil?: string;
    };
    OfferingPatch: {
      name?: string;
      price?: {
        /** @description Minor units (cents). */
        amount?: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency?: string;
      };
      tags?: string[] | null;
      status?: ('active' | 'inactive') | null;
      capacity?: number | null;
      maxPerOrder?: number | null;
      maxPerCustomer?: number | null;
      onSaleFrom?: string | null;
      onSaleUntil?: string | null;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly eventId?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly seriesId?: unknown;
    };
    BudgetInput: {
      name: string;
      /** @description How much its adjustments may take off, in all, for each customer or on each day, as `per` says. */
      limit: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      /**
       * @description Whether the limit is for all orders together, for those of each customer, or for those of each day.
       * @default total
       * @enum {string}
       */
      per?: 'total' | 'customer' | 'day';
      /**
       * @description Where a day of a budget `per: day` begins and ends.
       * @default UTC
       * @example Europe/Berlin
       */
      timezone?: string;
      /**
       * @description What an adjustment does that would take off more than is left: it does not apply (`drop`), or takes off what is left (`partial`): to the cent for an effect per order, and for as many whole tickets as it pays for with an effect per unit.
       * @default drop
       * @enum {string}
       */
      onExhausted?: 'drop' | 'partial';
    };
    BudgetPatch: {
      name?: string;
      limit?: {
        /** @description Minor units (cents). */
        amount?: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency?: string;
      };
      per?: ('total' | 'customer' | 'day') | null;
      timezone?: string | null;
      onExhausted?: ('drop' | 'partial') | null;
    };
    AdjustmentInput: {
      name?: string;
      /** @default promotion */
      type?: string;
      category?: string;
      /** @default manual */
      origin?: string;
      /**
       * @description `at-listing` changes the price that a ticket is listed at; `at-checkout` starts from that.
       * @default at-checkout
       * @enum {string}
       */
      application?: 'at-checkout' | 'at-listing';
      /**
       * @description How it combines with others: the best of its category, added up, or alone. An `exclusive` one applies only if the buyer pays no more with it alone than with all others together; of several, the cheapest applies.
       * @default stackable
       * @enum {string}
       */
      stacking?: 'replace-within-category' | 'stackable' | 'exclusive';
      /**
       * @description What the effect is computed on: the list price, or the price after the adjustments before it.
       * @default list-price
       * @enum {string}
       */
      effectBase?: 'list-price' | 'current-price';
      /**
       * @description The highest is applied first.
       * @default 0
       */
      priority?: number;
      targets: components['schemas']['TargetInput'][];
      conditions?: components['schemas']['ConditionsInput'];
      effect: components['schemas']['EffectInput'];
      /**
       * @default active
       * @enum {string}
       */
      status?: 'draft' | 'active' | 'scheduled' | 'paused' | 'archived';
    };
    TargetInput: {
      urn?: string;
      eventId?: string;
      offeringId?: string;
      /** @description Ignored: the company is that of the key. */
      companyId?: unknown;
    };
    ConditionsInput: {
      code?: string;
      /**
       * @description It needs one of the codes that were issued for its coupon with `POST /v1/coupons/{id}/codes`; each counts as often as it was issued for. With `code` too, either will do.
       * @constant
       */
      uniqueCodes?: true;
      /**
       * Format: date-time
       * @description It applies from this time on. Without a zone: local time of the events, series, venues and offerings that this applies to, if they are in one time zone; UTC if it names none.
       */
      startsAt?: string;
      /**
       * Format: date-time
       * @description It no longer applies from this time on. Without a zone: local time of the events, series, venues and offerings that this applies to, if they are in one time zone; UTC if it names none.
       */
      endsAt?: string;
      /** @description It applies only at these times of the week, each in local time: happy hours, or a quiet weekday. */
      recurring?: {
        days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
        from: string;
        /** @description Before `from`, it is on the next day. */
        to: string;
        /**
         * @description An IANA time zone: the clock there decides.
         * @example Europe/Berlin
         */
        timezone: string;
      }[];
      /** @description At least this many tickets in the cart that the targets name, in all lines. */
      minQuantity?: number;
      /** @description At most this many. */
      maxQuantity?: number;
      /** @description Compared with `cartContext.orderTotal`; without that, the adjustment does not apply. Carts and orders give the sum of their catalogue prices, and of the prices that a caller who may do so states instead: no adjustment changes it, not even one at listing. */
      minOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      /** @description Compared as `minOrderTotal` is. */
      maxOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      /** @description The tickets that it applies to must cost at least so much together, at catalogue prices. */
      minEligibleTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      customerSegments?: string[];
      channelIds?: string[];
      /** @description The offering must have one of these tags. */
      tags?: string[];
      /** @description Of what the targets name, only these offerings. */
      offeringIds?: string[];
      /** @description How many orders may redeem it. */
      maxRedemptions?: number;
      /** @description How many orders of one customer may redeem it. A buyer who is not known does not get it: `customer-missing`. See `perCustomerBy`. */
      maxRedemptionsPerCustomer?: number;
      /** @description For how many tickets it counts, in all orders together. A cart with more gets it for those that are left; see `limited` of its modifier. Only orders placed while it has this limit or `maxTicketsPerCustomer` count. */
      maxTickets?: number;
      /** @description For how many tickets of one customer it counts. A buyer who is not known does not get it. */
      maxTicketsPerCustomer?: number;
      /**
       * @description What tells one customer from another for the limits per customer. Without it, `id`: the customer id, so guests get nothing. `email`: the e-mail address too, in any spelling, so guests are counted. It counts from the change that sets it.
       * @enum {string}
       */
      perCustomerBy?: 'id' | 'email';
      /** @description The budget that pays for what it takes off. Not for a surcharge. */
      budgetId?: string;
    };
    EffectInput:
      | {
          /** @constant */
          kind: 'percentage_off';
          /** @description At most four decimals. */
          percent: number;
          /**
           * @description The currency of `maxAmount`. Without it, `maxAmount` is minor units of whatever currency the price is in.
           * @example EUR
           */
          currency?: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per?: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick?: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'amount_off';
          amount: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency?: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per?: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick?: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'fixed_price';
          /** @description Minor units (cents). */
          amount: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per?: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick?: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'percentage_surcharge';
          percent: number;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per?: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick?: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'amount_surcharge';
          amount: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per?: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick?: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'tiered';
          tiers: {
            minQuantity: number;
            /** @description At most four decimals. */
            percent?: number;
            amount?: number;
          }[];
          /**
           * @description The currency of its amounts. Without it, they are minor units of whatever currency the price is in.
           * @example EUR
           */
          currency?: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per?: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick?: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'buy_x_get_y';
          buy: number;
          get: number;
          /** @description At most four decimals. */
          percent: number;
          /**
           * @default order
           * @constant
           */
          per?: 'order';
          /**
           * @description The currency of `maxAmount`. Without it, `maxAmount` is minor units of whatever currency the price is in.
           * @example EUR
           */
          currency?: string;
          /** @description Minor units (cents). */
          maxAmount?: number;
        };
    AdjustmentPatch: {
      name?: string | null;
      type?: string | null;
      category?: string | null;
      origin?: string | null;
      application?: ('at-checkout' | 'at-listing') | null;
      stacking?: ('replace-within-category' | 'stackable' | 'exclusive') | null;
      effectBase?: ('list-price' | 'current-price') | null;
      priority?: number | null;
      targets?: components['schemas']['TargetInput'][];
      conditions?: {
        code?: string | null;
        uniqueCodes?: true | null;
        startsAt?: string | null;
        endsAt?: string | null;
        recurring?:
          | {
              days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
              from: string;
              /** @description Before `from`, it is on the next day. */
              to: string;
              /**
               * @description An IANA time zone: the clock there decides.
               * @example Europe/Berlin
               */
              timezone: string;
            }[]
          | null;
        minQuantity?: number | null;
        maxQuantity?: number | null;
        minOrderTotal?: {
          /** @description Minor units (cents). */
          amount?: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency?: string;
        } | null;
        maxOrderTotal?: {
          /** @description Minor units (cents). */
          amount?: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency?: string;
        } | null;
        minEligibleTotal?: {
          /** @description Minor units (cents). */
          amount?: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency?: string;
        } | null;
        customerSegments?: string[] | null;
        channelIds?: string[] | null;
        tags?: string[] | null;
        offeringIds?: string[] | null;
        maxRedemptions?: number | null;
        maxRedemptionsPerCustomer?: number | null;
        maxTickets?: number | null;
        maxTicketsPerCustomer?: number | null;
        perCustomerBy?: ('id' | 'email') | null;
        budgetId?: string | null;
      } | null;
      effect?: {
        /** @enum {string} */
        kind?:
          | 'percentage_off'
          | 'amount_off'
          | 'fixed_price'
          | 'percentage_surcharge'
          | 'amount_surcharge'
          | 'tiered'
          | 'buy_x_get_y';
        percent?: number;
        /** @description Minor units (cents). */
        amount?: number;
        currency?: string | null;
        tiers?: {
          minQuantity: number;
          /** @description At most four decimals. */
          percent?: number;
          amount?: number;
        }[];
        buy?: number;
        get?: number;
        per?: ('unit' | 'order') | null;
        maxAmount?: number | null;
        units?: {
          /** @description For at most this many tickets of an order. */
          max?: number;
          pick?: ('cheapest' | 'dearest') | null;
        } | null;
      };
      status?: ('draft' | 'active' | 'scheduled' | 'paused' | 'archived') | null;
    };
    EvaluateRequest: {
      offering: {
        id: string;
        eventId?: string;
        companyId?: string;
        venueId?: string;
        organizerId?: string;
        price: {
          /** @description Minor units (cents). */
          amount: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency?: string;
        };
        tags?: string[];
      };
      cartContext: {
        /** @default 1 */
        quantity?: number;
        /**
         * Format: date-time
         * @description When it is evaluated; by default now. Without a zone: local time of the offering's event, or UTC.
         */
        now?: string;
        codes?: string[];
        /** @description Who enters the codes: an id of the session or device, of your choice. After ten unknown codes in a minute, its codes are `throttled`; nobody can guess codes then. */
        clientRef?: string;
        customerId?: string;
        /** @description Counts for limits per customer that go by the e-mail address. */
        customerEmail?: string;
        customerSegment?: string;
        channelId?: string;
        /** @description Without a currency: in that of the prices. */
        orderTotal?: {
          /** @description Minor units (cents). */
          amount: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency?: string;
        };
      };
      /** @description Adjustments to try out, as you would create them. You get the price as if they were saved; nothing is. One with the `id` of a stored adjustment replaces it. Needs pricing:read. */
      proposed?: components['schemas']['ProposedAdjustment'][];
    };
    ProposedAdjustment: {
      name?: string;
      /** @default promotion */
      type?: string;
      category?: string;
      /** @default manual */
      origin?: string;
      /**
       * @description `at-listing` changes the price that a ticket is listed at; `at-checkout` starts from that.
       * @default at-checkout
       * @enum {string}
       */
      application?: 'at-checkout' | 'at-listing';
      /**
       * @description How it combines with others: the best of its category, added up, or alone. An `exclusive` one applies only if the buyer pays no more with it alone than with all others together; of several, the cheapest applies.
       * @default stackable
       * @enum {string}
       */
      stacking?: 'replace-within-category' | 'stackable' | 'exclusive';
      /**
       * @description What the effect is computed on: the list price, or the price after the adjustments before it.
       * @default list-price
       * @enum {string}
       */
      effectBase?: 'list-price' | 'current-price';
      /**
       * @description The highest is applied first.
       * @default 0
       */
      priority?: number;
      targets: components['schemas']['TargetInput'][];
      conditions?: components['schemas']['ConditionsInput'];
      effect: components['schemas']['EffectInput'];
      /**
       * @default active
       * @enum {string}
       */
      status?: 'draft' | 'active' | 'scheduled' | 'paused' | 'archived';
      /** @description The stored adjustment that this one would replace as a whole. Without it, this would be a new one. */
      id?: string;
    };
    RedemptionInput: {
      orderId: string;
      customerId?: string;
      /**
       * Format: email
       * @description For an adjustment whose limits per customer go by the e-mail address.
       */
      customerEmail?: string;
      /** @default 1 */
      quantity?: number;
      /** @description The issued code that was used. Required for the adjustment of a coupon with a code for each buyer. */
      code?: string;
      /** @description For how many tickets it counts. Required for an adjustment whose tickets are limited. */
      tickets?: number;
      /** @description How much it took off, in minor units. Required for an adjustment with a budget. */
      amount?: number;
    };
    CouponInput: {
      description?: string | null;
      code?: string | null;
      type?: string | null;
      amountOff?: number | null;
      percentOff?: number | null;
      per?: ('unit' | 'order') | null;
      maxAmount?: number | null;
      units?: {
        /** @description For at most this many tickets of an order. */
        max: number;
        /**
         * @description Which of the tickets that it applies to, by their prices before any adjustment.
         * @default cheapest
         * @enum {string}
         */
        pick?: 'cheapest' | 'dearest';
      } | null;
      effect?: components['schemas']['EffectInput'] | null;
      limit?: number | null;
      offeringIds?: string[] | null;
      contextIds?: string[] | null;
      currency?: string | null;
      expiresAt?: string | null;
      status?: ('active' | 'inactive' | 'depleted' | 'expired' | 'conflict') | null;
      stacking?: ('replace-within-category' | 'stackable' | 'exclusive') | null;
      effectBase?: ('list-price' | 'current-price') | null;
      priority?: number | null;
      category?: string | null;
      uniqueCodes?: true | null;
      startsAt?: string | null;
      recurring?:
        | {
            days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
            from: string;
            /** @description Before `from`, it is on the next day. */
            to: string;
            /**
             * @description An IANA time zone: the clock there decides.
             * @example Europe/Berlin
             */
            timezone: string;
          }[]
        | null;
      minQuantity?: number | null;
      maxQuantity?: number | null;
      minOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      } | null;
      maxOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      } | null;
      minEligibleTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      } | null;
      customerSegments?: string[] | null;
      channelIds?: string[] | null;
      tags?: string[] | null;
      maxRedemptionsPerCustomer?: number | null;
      maxTickets?: number | null;
      maxTicketsPerCustomer?: number | null;
      perCustomerBy?: ('id' | 'email') | null;
      budgetId?: string | null;
      discountType?:
        | ('percent' | 'percentage' | 'percentage_off' | 'amount' | 'amount_off' | 'fixed' | 'fixed_amount')
        | null;
      discountValue?: number | null;
      maxUses?: number | null;
      maxRedemptions?: number | null;
      endsAt?: string | null;
      limitPerCustomer?: number | null;
    };
    CouponPatch: {
      description?: string | null;
      code?: string | null;
      type?: string | null;
      amountOff?: number | null;
      percentOff?: number | null;
      per?: ('unit' | 'order') | null;
      maxAmount?: number | null;
      units?: {
        /** @description For at most this many tickets of an order. */
        max: number;
        /**
         * @description Which of the tickets that it applies to, by their prices before any adjustment.
         * @default cheapest
         * @enum {string}
         */
        pick?: 'cheapest' | 'dearest';
      } | null;
      effect?: components['schemas']['EffectInput'] | null;
      limit?: number | null;
      offeringIds?: string[] | null;
      contextIds?: string[] | null;
      currency?: string | null;
      expiresAt?: string | null;
      status?: ('active' | 'inactive' | 'depleted' | 'expired' | 'conflict') | null;
      stacking?: ('replace-within-category' | 'stackable' | 'exclusive') | null;
      effectBase?: ('list-price' | 'current-price') | null;
      priority?: number | null;
      category?: string | null;
      uniqueCodes?: true | null;
      startsAt?: string | null;
      recurring?:
        | {
            days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
            from: string;
            /** @description Before `from`, it is on the next day. */
            to: string;
            /**
             * @description An IANA time zone: the clock there decides.
             * @example Europe/Berlin
             */
            timezone: string;
          }[]
        | null;
      minQuantity?: number | null;
      maxQuantity?: number | null;
      minOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      } | null;
      maxOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      } | null;
      minEligibleTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      } | null;
      customerSegments?: string[] | null;
      channelIds?: string[] | null;
      tags?: string[] | null;
      maxRedemptionsPerCustomer?: number | null;
      maxTickets?: number | null;
      maxTicketsPerCustomer?: number | null;
      perCustomerBy?: ('id' | 'email') | null;
      budgetId?: string | null;
      discountType?:
        | ('percent' | 'percentage' | 'percentage_off' | 'amount' | 'amount_off' | 'fixed' | 'fixed_amount')
        | null;
      discountValue?: number | null;
      maxUses?: number | null;
      maxRedemptions?: number | null;
      endsAt?: string | null;
      limitPerCustomer?: number | null;
    };
    IssueCodesInput: {
      /** @description Makes so many random codes. */
      count?: number;
      /** @description How they look: each `#` becomes a random letter or digit that is not mistaken for another one. Without it, `####-####-####`. */
      pattern?: string;
      /** @description Issues these codes instead, such as those of a partner. The response lists those that are refused. */
      codes?: string[];
      /** @description Adds `codes` to the batch that an earlier request made, where they are more than one request takes. */
      batchId?: string;
      /** @description How many orders may redeem each code. Without it, 1. */
      limitPerCode?: number;
    };
    /** @default {} */
    CartSessionInput: {
      id?: string;
      contextId?: string;
      /**
       * @description ISO 4217.
       * @example EUR
       */
      currency?: string;
      customerId?: string;
      /** Format: email */
      customerEmail?: string;
      customerSegment?: string;
      channelId?: string;
      items?: components['schemas']['CartItemInput'][];
      coupons?: string[];
    };
    CartItemInput: {
      offeringId: string;
      quantity: number;
      /** @description Of an offering that the catalogue does not have; ignored for one that it has. */
      price?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      /** @description Another name of `price`. */
      amount?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      /** @description Another name of `price`; where both are sent, `price` counts. */
      unitPrice?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      name?: string;
    };
    CartSessionPatch: {
      items?: components['schemas']['CartItemInput'][] | null;
      coupons?: string[] | null;
      contextId?: string | null;
      currency?: string | null;
      customerId?: string | null;
      customerEmail?: string | null;
      customerSegment?: string | null;
      channelId?: string | null;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly tableCommitmentId?: unknown;
    };
    TableCommitmentInput: {
      id?: string;
      contextId: string;
      seats: number;
      offeringId?: string;
      minimumSpend?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
    };
    JoinTable: {
      tableCommitmentId: string;
      /** @description How many seats the session takes: 1 by default. At the table where it sits, this many from now on. */
      seats?: number;
    };
    TableCommitmentPatch: {
      /** @description Not below the number of seats that are taken. */
      seats?: number;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly contextId?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly offeringId?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly minimumSpend?: unknown;
    };
    OrderRequest: {
      order: {
        orderNumber: string;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
        companyId: string;
        /** @description Stored with the order; it does not change the price. */
        organizerId: string;
        /** @description The event, venue or organization. It decides what applies to items that are not in the catalogue. */
        contextId: string;
        customer: {
          id?: string;
          /** Format: email */
          email: string;
          firstName?: string;
          lastName?: string;
          phone?: string;
        } & {
          [key: string]: unknown;
        };
        /** @description `pending`, or a label of your own on a placed order. Without `expiresInSeconds`, a pending order waits for ever. */
        status?: string;
        /** @description How long the order stays pending: what it needs is held for it, and released unless it is confirmed in time. */
        expiresInSeconds?: number;
        items?: components['schemas']['OrderItemInput'][];
        /** @default {} */
        costs?: {
          /** @description Minor units (cents). */
          subtotal?: number;
          /** @description Minor units (cents). */
          fees?: number;
          /** @description Minor units (cents). */
          tax?: number;
          /** @description Minor units (cents). */
          total?: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency?: string;
        } & {
          [key: string]: unknown;
        };
        /**
         * @description The codes that the buyer entered.
         * @default []
         */
        coupons?: (
          | string
          | ({
              code: string;
            } & {
              [key: string]: unknown;
            })
        )[];
        /**
         * @description Kept as it is sent; at most 65536 bytes as JSON.
         * @default {}
         */
        agreements?: {
          [key: string]: unknown;
        };
        /**
         * @description Kept as it is sent; at most 65536 bytes as JSON.
         * @default {}
         */
        answers?: {
          [key: string]: unknown;
        };
        /**
         * @description Kept as it is sent; at most 65536 bytes as JSON.
         * @default {}
         */
        forwarded?: {
          [key: string]: unknown;
        };
        /**
         * @description Kept as it is sent; at most 65536 bytes as JSON.
         * @default {}
         */
        meta?: {
          [key: string]: unknown;
        };
        uid?: string;
        /** @description The cart session that becomes the order. Without `items` the order has the session's. Its codes, customer, segment and channel count, and its seat at a table becomes the order's. */
        cartSessionId?: string;
        /** @description The `version` of the cart session that the buyer was shown. If the session has changed since, there is no order: 409 `CART_CHANGED`, with the cart as it is now. */
        cartVersion?: number;
        customerSegment?: string;
        channelId?: string;
        /** @description What the buyer was shown, with fees and tax. If the order costs anything else, there is no order: 409 `PRICE_CHANGED`. */
        expectedTotal?: number;
        context?: {
          urn: string;
        } & {
          [key: string]: unknown;
        };
      };
      context?: {
        urn: string;
      } & {
        [key: string]: unknown;
      };
    };
    OrderItemInput: {
      offeringId?: string;
      name?: string;
      /** @default 1 */
      quantity?: number;
      unitPrice?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      price?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      amount?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      /** @description What all units cost. `unitPrice` x `quantity` is the amount before adjustments; anything else is charged as it stands. */
      total?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      /** @description The adjustments that made its price, by id. The order redeems each once. One with a code needs that code in `coupons`, unless the API key has orders:write. */
      adjustments?: (
        | string
        | ({
            adjustmentId: string;
          } & {
            [key: string]: unknown;
          })
      )[];
    } & {
      [key: string]: unknown;
    };
    OrderPatch: {
      /** @description A label of your own on a placed order; null removes it. */
      status?: string | null;
      customer?: {
        id?: string | null;
        /** Format: email */
        email?: string;
        firstName?: string | null;
        lastName?: string | null;
        phone?: string | null;
      } & {
        [key: string]: unknown;
      };
      agreements?: {
        [key: string]: unknown;
      } | null;
      answers?: {
        [key: string]: unknown;
      } | null;
      forwarded?: {
        [key: string]: unknown;
      } | null;
      meta?: {
        [key: string]: unknown;
      } | null;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly orderNumber?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly currency?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly organizerId?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly contextId?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly items?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly costs?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly coupons?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly uid?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly cartSessionId?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly cartVersion?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly customerSegment?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly channelId?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly context?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly expectedTotal?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly expiresInSeconds?: unknown;
      /** @description Cannot be changed; may be sent back as it is. */
      readonly expiresAt?: unknown;
    };
    ExtendOrder: {
      /** @description From now. An order that already has longer keeps that. At most 7 days after it became pending. */
      expiresInSeconds: number;
    };
    /** @default {} */
    ConfirmOrder: {
      /** @description What was paid. If the order costs anything else, it stays pending: 409 `PRICE_CHANGED`. */
      expectedTotal?: number;
    };
    AmendmentPreviewInput: {
      /** @description The tickets the order should have. Lines that are not named stay as they are. */
      items?: {
        /** @description A line of the order: it keeps this many tickets, no more than it has. */
        lineId?: string;
        /** @description All lines of an offering together: more tickets than they have make a new line; fewer are taken from the newest line first. */
        offeringId?: string;
        quantity: number;
        /** @description The list price of tickets that are added, with `orders:write`. Absent: what the catalogue says. */
        unitPrice?: number;
      }[];
      /** @description All codes the order should have. Absent: no change. A new one counts for added tickets with `keep`, and for all with `reprice`. Leaving one out needs `reprice` and `chargeDifference`. */
      coupons?: string[];
      /** @description Stated amounts. Otherwise fees stay, and tax follows the goods; `tax` is required when tickets are added to an order with tax. `total` needs `orders:write`. */
      costs?: {
        /** @description Minor units (cents). */
        fees?: number;
        /** @description Minor units (cents). */
        tax?: number;
        /** @description Minor units (cents). */
        total?: number;
      };
      /** @description How many seats the order keeps at its table, no more than it has. Absent: all. */
      seats?: number;
      /**
       * @description Whether the tickets that stay may cost more than they did, because a price for many no longer applies. Otherwise that difference is withheld from what is paid back.
       * @default false
       */
      chargeDifference?: boolean;
    };
    AmendmentInput: {
      /**
       * @description `keep`: what stays costs what it cost, and added tickets are priced now as an order of their own. `reprice`: everything is priced as one purchase, by the rules under which the order was placed.
       * @enum {string}
       */
      mode: 'keep' | 'reprice';
      /** @description The tickets the order should have. Lines that are not named stay as they are. */
      items?: {
        /** @description A line of the order: it keeps this many tickets, no more than it has. */
        lineId?: string;
        /** @description All lines of an offering together: more tickets than they have make a new line; fewer are taken from the newest line first. */
        offeringId?: string;
        quantity: number;
        /** @description The list price of tickets that are added, with `orders:write`. Absent: what the catalogue says. */
        unitPrice?: number;
      }[];
      /** @description All codes the order should have. Absent: no change. A new one counts for added tickets with `keep`, and for all with `reprice`. Leaving one out needs `reprice` and `chargeDifference`. */
      coupons?: string[];
      /** @description Stated amounts. Otherwise fees stay, and tax follows the goods; `tax` is required when tickets are added to an order with tax. `total` needs `orders:write`. */
      costs?: {
        /** @description Minor units (cents). */
        fees?: number;
        /** @description Minor units (cents). */
        tax?: number;
        /** @description Minor units (cents). */
        total?: number;
      };
      /** @description How many seats the order keeps at its table, no more than it has. Absent: all. */
      seats?: number;
      /**
       * @description Whether the tickets that stay may cost more than they did, because a price for many no longer applies. Otherwise that difference is withheld from what is paid back.
       * @default false
       */
      chargeDifference?: boolean;
      /** @description What the order must cost afterwards. If it costs anything else, nothing changes: 409 `PRICE_CHANGED`. */
      expectedTotal?: number;
      /** @description For a placed order, while the buyer pays: holds what is added for that long, and the order stays as it is until the amendment is confirmed. Nothing is returned before that. */
      expiresInSeconds?: number;
      reason?: string;
    };
    /** @default {} */
    ReopenOrder: {
      /** @description How long the order stays pending: what it needs is held for it, and released unless it is confirmed in time. */
      expiresInSeconds?: number;
    };
    RehearsalInput: {
      /**
       * Format: date-time
       * @description Orders that were created from then on.
       */
      from: string;
      /**
       * Format: date-time
       * @description Orders that were created before then.
       */
      to: string;
      /** @description What would have been different, from `from` on. Without any, the report says what there was. */
      changes: {
        /** @description An adjustment that there was not. */
        create?: components['schemas']['AdjustmentInput'];
        /** @description A stored adjustment, changed by this merge patch. */
        patch?: {
          name?: string | null;
          type?: string | null;
          category?: string | null;
          origin?: string | null;
          application?: ('at-checkout' | 'at-listing') | null;
          stacking?: ('replace-within-category' | 'stackable' | 'exclusive') | null;
          effectBase?: ('list-price' | 'current-price') | null;
          priority?: number | null;
          targets?: components['schemas']['TargetInput'][];
          conditions?: {
            code?: string | null;
            uniqueCodes?: true | null;
            startsAt?: string | null;
            endsAt?: string | null;
            recurring?:
              | {
                  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
                  from: string;
                  /** @description Before `from`, it is on the next day. */
                  to: string;
                  /**
                   * @description An IANA time zone: the clock there decides.
                   * @example Europe/Berlin
                   */
                  timezone: string;
                }[]
              | null;
            minQuantity?: number | null;
            maxQuantity?: number | null;
            minOrderTotal?: {
              /** @description Minor units (cents). */
              amount?: number;
              /**
               * @description ISO 4217.
               * @example EUR
               */
              currency?: string;
            } | null;
            maxOrderTotal?: {
              /** @description Minor units (cents). */
              amount?: number;
              /**
               * @description ISO 4217.
               * @example EUR
               */
              currency?: string;
            } | null;
            minEligibleTotal?: {
              /** @description Minor units (cents). */
              amount?: number;
              /**
               * @description ISO 4217.
               * @example EUR
               */
              currency?: string;
            } | null;
            customerSegments?: string[] | null;
            channelIds?: string[] | null;
            tags?: string[] | null;
            offeringIds?: string[] | null;
            maxRedemptions?: number | null;
            maxRedemptionsPerCustomer?: number | null;
            maxTickets?: number | null;
            maxTicketsPerCustomer?: number | null;
            perCustomerBy?: ('id' | 'email') | null;
            budgetId?: string | null;
          } | null;
          effect?: {
            /** @enum {string} */
            kind?:
              | 'percentage_off'
              | 'amount_off'
              | 'fixed_price'
              | 'percentage_surcharge'
              | 'amount_surcharge'
              | 'tiered'
              | 'buy_x_get_y';
            percent?: number;
            /** @description Minor units (cents). */
            amount?: number;
            currency?: string | null;
            tiers?: {
              minQuantity: number;
              /** @description At most four decimals. */
              percent?: number;
              amount?: number;
            }[];
            buy?: number;
            get?: number;
            per?: ('unit' | 'order') | null;
            maxAmount?: number | null;
            units?: {
              /** @description For at most this many tickets of an order. */
              max?: number;
              pick?: ('cheapest' | 'dearest') | null;
            } | null;
          };
          status?: ('draft' | 'active' | 'scheduled' | 'paused' | 'archived') | null;
          /** @description A stored adjustment. That of a coupon is its `adjustmentId`. */
          id: string;
        };
        /** @description A stored adjustment that did not count. */
        archive?: {
          /** @description A stored adjustment. That of a coupon is its `adjustmentId`. */
          id: string;
        };
      }[];
    };
    CallOffInput: {
      /** @description Why, for the buyers: the cancelled orders and their webhooks have it as `callOff.reason`. */
      reason: string;
      /** @description Whether the orders of the event are cancelled, or only listed. */
      cancelOrders: boolean;
    };
    /** @default {} */
    UndoCallOff: Record<string, never>;
    WebhookInput: {
      /** @description Where events are sent: an https address that the public internet reaches. */
      url: string;
      /** @description Which events are sent: `order.placed`, `order.*`, or `*` for all that your key may read. */
      types?: string[];
      description?: string;
      /**
       * @default active
       * @enum {string}
       */
      status?: 'active' | 'paused';
    };
    WebhookPatch: {
      /** @description Where events are sent: an https address that the public internet reaches. */
      url?: string;
      types?: string[] | null;
      description?: string | null;
      status?: ('active' | 'paused') | null;
      startFrom?: ('cursor' | 'now') | null;
    };
    /** @default {} */
    RotateWebhookSecret: {
      /**
       * @description How long deliveries are also signed with the previous secret.
       * @default 86400
       */
      overlapSeconds?: number;
    };
    /** @default {} */
    TestWebhook: {
      /** @default webhook.test */
      type?: string;
    };
    /** @default {} */
    ReplayWebhook: {
      /** @description A cursor of the activity log, or `oldest`. */
      after?: string;
      /**
       * Format: date-time
       * @description Instead of `after`: events from this time on.
       */
      from?: string;
      /**
       * Format: date-time
       * @description Events before this time; by default until now.
       */
      to?: string;
      /** @description Only these of the types that the webhook gets. */
      types?: string[];
      /**
       * @description `parked`: only events that were given up.
       * @default all
       * @enum {string}
       */
      only?: 'all' | 'parked';
    };
    /** @default {} */
    EraseCustomer: Record<string, never>;
    CreateApiKey: {
      /** @description Defaults to the company of the calling key. The operator's key has to name one. */
      companyId?: string;
      name: string;
      scopes: (
        | '*'
        | 'coupons:read'
        | 'coupons:write'
        | 'pricing:read'
        | 'pricing:write'
        | 'pricing:evaluate'
        | 'pricing:redeem'
        | 'carts:read'
        | 'carts:write'
        | 'orders:read'
        | 'orders:write'
        | 'orders:checkout'
        | 'events:read'
        | 'events:write'
        | 'activity:read'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'customers:erase'
        | 'keys:admin'
      )[];
      expiresAt?: string | null;
      rateLimit?: {
        perSecond: number;
        burst: number;
      } | null;
      /**
       * @description Defaults to that of the calling key; for the operator's key, to the gateway's setting.
       * @enum {string}
       */
      environment?: 'live' | 'test';
    };
    /** @default {} */
    RotateApiKey: {
      /**
       * @description How long the old key keeps working. By default it ends at once.
       * @default 0
       */
      overlapSeconds?: number;
    };
    Event: {
      name?: string;
      description?: string;
      /** Format: date-time */
      startsAt?: string;
      /** Format: date-time */
      endsAt?: string;
      /** @example Europe/Berlin */
      timezone?: string;
      venueId?: string;
      organizerId?: string;
      /** @description How many tickets the event sells, of all its offerings together; each instance of a series has a count of its own. Tickets count from the first order on, whether or not there is a capacity. */
      capacity?: number;
      /** @description How many tickets of the event one customer may have, in pending and placed orders together; each instance of a series has a count of its own. An order counts under the `id` and the `email` of its customer, and is refused if either has no room. Orders count if they are placed, amended or reopened while there is a limit. */
      maxPerCustomer?: number;
      /**
       * @description A `published` or `postponed` event sells tickets; a `draft`, `cancelled`, `completed` or `archived` one does not. An event is `published` unless it says otherwise.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'postponed' | 'cancelled' | 'completed' | 'archived';
      tags?: string[];
      id: string;
      companyId: string;
      /** @enum {string} */
      kind: 'single' | 'series' | 'instance';
      /** @description For an instance: its series. */
      seriesId?: string;
      /** @description For an instance: the fields that it overrides. All other fields come from the series. An instance that overrides only startsAt keeps the duration of the series. */
      overrides?: (
        | 'name'
        | 'description'
        | 'startsAt'
        | 'endsAt'
        | 'timezone'
        | 'venueId'
        | 'organizerId'
        | 'capacity'
        | 'maxPerCustomer'
        | 'status'
        | 'tags'
      )[];
      /** @description Of an event that was called off, while it is `cancelled`. */
      callOff?: {
        /** @description The call-off: `cof_...`. */
        id: string;
        reason: string;
        /** Format: date-time */
        created: string;
      };
      /** @description Counts changes, for an instance its own; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      created: string;
      /**
       * Format: date-time
       * @description When this record last changed: for an instance, its own change or its series', whichever is later.
       */
      changed: string;
      /** @description With `availability=true` in the query. */
      availability?: components['schemas']['EventAvailability'];
    };
    EventAvailability: {
      /** @description Tickets in placed orders, of all its offerings. */
      sold: number;
      /** @description Tickets in orders that are pending or being placed. */
      held: number;
      /** @description Of the event's capacity, or of the offerings that are active and not off sale yet together, whichever is less; null without a limit. An event with offerings, all of which are inactive or off sale, has nothing left. */
      left: number | null;
      /** @description The lowest listed price of the offerings that are on sale now and not sold out, one for each currency: with price adjustments at listing, without those at checkout. Empty if nothing is on sale. */
      lowestPrices: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      }[];
    };
    EventFacets: {
      /** @description The most events first. Events without a venue are not among them. */
      venues: {
        venueId: string;
        count: number;
      }[];
      /** @description The most events first. */
      statuses: {
        /** @enum {string} */
        status: 'draft' | 'published' | 'postponed' | 'cancelled' | 'completed' | 'archived';
        count: number;
      }[];
      /** @description False if more than 10000 events match: then only 10000 of them are counted. */
      complete: boolean;
    };
    DatesJob: {
      /** @description Read it again under this id while it is `running`. Absent from a dry run. */
      id?: string;
      /** @enum {string} */
      status: 'preview' | 'running' | 'done';
      /** @description How many dates the rule gives, or the filter matches: all of `dates` and `leftAlone`. */
      total: number;
      /** @description The dates that are made or changed, soonest first. While it is `running`, those so far. */
      dates: {
        /** Format: date-time */
        startsAt: string;
        /**
         * Format: date-time
         * @description The new start, of a date that is moved.
         */
        movedTo?: string;
        /** @description Absent until the date is made. */
        eventId?: string;
      }[];
      /** @description The dates that stay as they are, soonest first. While it is `running`, those so far. */
      leftAlone: {
        /** Format: date-time */
        startsAt: string;
        eventId: string;
        /**
         * @description `existing`: the series had the date already. `same`: it is so already. `overridden`: a field that would change was set for this date alone. `sold`: tickets are sold or held, and it would be moved to another time or venue, be cancelled, or get a smaller capacity than that. `over`; `cancelled`. `invalid`: it would not be valid, such as an end before the start.
         * @enum {string}
         */
        reason: 'existing' | 'same' | 'overridden' | 'sold' | 'over' | 'cancelled' | 'invalid';
        /** @description The reason as a sentence. */
        why: string;
      }[];
      /** @description Why it stopped before all dates were made. */
      stopped?: string;
    };
    Reverted: {
      success: boolean;
    };
    PurchaseGroup: {
      id: string;
      companyId: string;
      eventId: string;
      name: string;
      size: number;
      members: components['schemas']['GroupMember'][];
      /** @enum {string} */
      status: 'active' | 'merged';
      /** @description The group that it was merged into. It keeps its own size, members and notes. */
      mergedInto?: string;
      notes: components['schemas']['GroupNote'][];
      history: components['schemas']['GroupMerge'][];
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      changed: string;
    };
    GroupNote: {
      text: string;
      /** Format: date-time */
      at: string;
      /** @description The API key that wrote it. */
      by: string;
      sourceGroupId?: string;
    };
    GroupMerge: {
      sourceGroupId: string;
      targetGroupId: string;
      sourceSize: number;
      targetSize: number;
      combinedSize: number;
      note: string;
      /** Format: date-time */
      at: string;
      /** @description The API key that merged them. */
      by: string;
    };
    Page: {
      /** @description The cursor of the next page; null on the last one. */
      next: string | null;
      limit: number;
    };
    Offering: {
      id: string;
      eventId: string;
      /** @description The series that its event is, or is an instance of. */
      seriesId?: string;
      companyId: string;
      name: string;
      price: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      tags: string[];
      /** @enum {string} */
      status: 'active' | 'inactive';
      capacity?: number;
      maxPerOrder?: number;
      maxPerCustomer?: number;
      /** Format: date-time */
      onSaleFrom?: string;
      /** Format: date-time */
      onSaleUntil?: string;
      availability: components['schemas']['Availability'];
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      changed: string;
    };
    Availability: {
      /** @description In placed orders. */
      sold: number;
      /** @description In orders that are pending or being placed. */
      held: number;
      /** @description Of the offering's capacity or the event's, whichever is less; null without either. */
      left: number | null;
    };
    Budget: {
      id: string;
      companyId: string;
      name: string;
      limit: {
        amount: number;
        currency: string;
      };
      /** @enum {string} */
      per: 'total' | 'customer' | 'day';
      timezone: string;
      /** @enum {string} */
      onExhausted: 'drop' | 'partial';
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      changed: string;
      usage: components['schemas']['BudgetUsage'];
    };
    /** @description Minor units of its currency. */
    BudgetUsage: {
      /** @description What placed orders took. */
      spent: number;
      /** @description What orders hold that are pending or being placed. */
      held: number;
      /** @description Null for a budget `per: customer` that is read for all customers together. */
      left: number | null;
    };
    Adjustment: {
      id: string;
      companyId: string;
      name: string;
      type: string;
      category: string;
      origin: string;
      /** @enum {string} */
      application: 'at-checkout' | 'at-listing';
      /** @enum {string} */
      stacking: 'replace-within-category' | 'stackable' | 'exclusive';
      /** @enum {string} */
      effectBase: 'list-price' | 'current-price';
      priority: number;
      targets: components['schemas']['Target'][];
      conditions: components['schemas']['Conditions'];
      effect: components['schemas']['Effect'];
      /** @enum {string} */
      status: 'draft' | 'active' | 'scheduled' | 'paused' | 'archived';
      /** @description The coupon that this adjustment belongs to, if any. */
      couponId?: string;
      /** @description How much of its cap is used, where it is read: `GET` of one and of the list. */
      usage?: components['schemas']['AdjustmentUsage'];
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      changed: string;
    };
    Target: {
      urn: string;
      eventId?: string;
      /** @description Only this offering in that context. */
      offeringId?: string;
      companyId: string;
    };
    Conditions: {
      code?: string;
      /**
       * @description It needs one of the codes that were issued for its coupon with `POST /v1/coupons/{id}/codes`; each counts as often as it was issued for. With `code` too, either will do.
       * @constant
       */
      uniqueCodes?: true;
      /** Format: date-time */
      startsAt?: string;
      /** Format: date-time */
      endsAt?: string;
      /** @description It applies only at these times of the week, each in local time: happy hours, or a quiet weekday. */
      recurring?: {
        days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
        from: string;
        /** @description Before `from`, it is on the next day. */
        to: string;
        /**
         * @description An IANA time zone: the clock there decides.
         * @example Europe/Berlin
         */
        timezone: string;
      }[];
      /** @description At least this many tickets in the cart that the targets name, in all lines. */
      minQuantity?: number;
      /** @description At most this many. */
      maxQuantity?: number;
      /** @description Compared with `cartContext.orderTotal`; without that, the adjustment does not apply. Carts and orders give the sum of their catalogue prices, and of the prices that a caller who may do so states instead: no adjustment changes it, not even one at listing. */
      minOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      /** @description Compared as `minOrderTotal` is. */
      maxOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      /** @description The tickets that it applies to must cost at least so much together, at catalogue prices. */
      minEligibleTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      customerSegments?: string[];
      channelIds?: string[];
      /** @description The offering must have one of these tags. */
      tags?: string[];
      /** @description Of what the targets name, only these offerings. */
      offeringIds?: string[];
      /** @description How many orders may redeem it. */
      maxRedemptions?: number;
      /** @description How many orders of one customer may redeem it. A buyer who is not known does not get it: `customer-missing`. See `perCustomerBy`. */
      maxRedemptionsPerCustomer?: number;
      /** @description For how many tickets it counts, in all orders together. A cart with more gets it for those that are left; see `limited` of its modifier. Only orders placed while it has this limit or `maxTicketsPerCustomer` count. */
      maxTickets?: number;
      /** @description For how many tickets of one customer it counts. A buyer who is not known does not get it. */
      maxTicketsPerCustomer?: number;
      /**
       * @description What tells one customer from another for the limits per customer. Without it, `id`: the customer id, so guests get nothing. `email`: the e-mail address too, in any spelling, so guests are counted. It counts from the change that sets it.
       * @enum {string}
       */
      perCustomerBy?: 'id' | 'email';
      /** @description The budget that pays for what it takes off. Not for a surcharge. */
      budgetId?: string;
    };
    Effect:
      | {
          /** @constant */
          kind: 'percentage_off';
          /** @description At most four decimals. */
          percent: number;
          /**
           * @description The currency of `maxAmount`. Without it, `maxAmount` is minor units of whatever currency the price is in.
           * @example EUR
           */
          currency?: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'amount_off';
          amount: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency?: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'fixed_price';
          /** @description Minor units (cents). */
          amount: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'percentage_surcharge';
          percent: number;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'amount_surcharge';
          amount: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'tiered';
          tiers: {
            minQuantity: number;
            /** @description At most four decimals. */
            percent?: number;
            amount?: number;
          }[];
          /**
           * @description The currency of its amounts. Without it, they are minor units of whatever currency the price is in.
           * @example EUR
           */
          currency?: string;
          /**
           * @description For each unit, or once for the order.
           * @default unit
           * @enum {string}
           */
          per: 'unit' | 'order';
          /** @description The most that a discount takes off, in minor units: per unit or per order, as `per` says. */
          maxAmount?: number;
          /** @description It counts for some tickets only. All that it applies to still decide whether it does, and at which tier. */
          units?: {
            /** @description For at most this many tickets of an order. */
            max: number;
            /**
             * @description Which of the tickets that it applies to, by their prices before any adjustment.
             * @default cheapest
             * @enum {string}
             */
            pick: 'cheapest' | 'dearest';
          };
        }
      | {
          /** @constant */
          kind: 'buy_x_get_y';
          buy: number;
          get: number;
          /** @description At most four decimals. */
          percent: number;
          /**
           * @default order
           * @constant
           */
          per: 'order';
          /**
           * @description The currency of `maxAmount`. Without it, `maxAmount` is minor units of whatever currency the price is in.
           * @example EUR
           */
          currency?: string;
          /** @description Minor units (cents). */
          maxAmount?: number;
        };
    AdjustmentUsage: {
      redeemed: number;
      /** @description Null when it has no cap. */
      remaining: number | null;
      /** @description Redeemed, or held by orders that are pending or being placed. */
      claimed: number;
      /** @description Only for one with `maxTickets` or `maxTicketsPerCustomer`. */
      tickets?: {
        /** @description The tickets for which it counts in orders that stand, or are being placed. */
        claimed: number;
        /** @description Null without `maxTickets`. */
        remaining: number | null;
      };
    };
    Evaluation: {
      basePrice: {
        amount: number;
        currency: string;
      };
      /** @description The price of one unit after perUnitModifiers; of the dearest, if they differ. Modifiers of the whole order are only in perOrderModifiers and summary. */
      effectivePrice: {
        amount: number;
        currency: string;
      };
      perUnitModifiers: components['schemas']['Modifier'][];
      /** @description Only if tickets of the line differ in price, because an adjustment counts for some of them: how many cost how much. */
      groups?: {
        quantity: number;
        effectivePrice: {
          amount: number;
          currency: string;
        };
        perUnitModifiers: components['schemas']['Modifier'][];
      }[];
      perOrderModifiers: components['schemas']['Modifier'][];
      summary: components['schemas']['PriceSummary'];
      droppedAdjustments: components['schemas']['DroppedAdjustment'][];
      codes: components['schemas']['CodeResult'][];
    };
    Modifier: {
      adjustmentId: string;
      name: string;
      type: string;
      category: string;
      origin: string;
      code?: string;
      effect: components['schemas']['Effect'];
      /** @description What the effect is computed on: the price of one unit or of the order, as effectBase says. */
      base: number;
      /** @description Per unit in perUnitModifiers, per order in perOrderModifiers. */
      amount: number;
      /** @description How many tickets it changes the price of. */
      units: number;
      /** @description What it adds to the order. */
      total: number;
      /** @description Only if it counts for fewer tickets of the cart than it applies to. Also if it is per order, and its budget has less left than it would take off: it then counts for all tickets, with what is left. */
      limited?: {
        /** @description How many tickets it applies to. */
        wanted: number;
        /** @description For how many of these it counts. */
        units: number;
        /**
         * @description What allows no more: `units` of its effect, how many tickets are left in all or for the buyer, or its budget.
         * @enum {string}
         */
        reason: 'units' | 'ticket-limit-reached' | 'customer-ticket-limit-reached' | 'budget-exhausted';
      };
      /** @description The budget that pays for what it takes off. */
      budgetId?: string;
      /** @description For a modifier of a whole cart with several lines: what of `total` falls on each, in proportion to what they cost. An order has it as the `shares` of its items. */
      allocations?: {
        /** @description The index of the line. */
        line: number;
        amount: number;
      }[];
    };
    PriceSummary: {
      /** @description List price x quantity. */
      subtotal: number;
      /** @description The sum of all modifiers. */
      modifiers: number;
      /** @description subtotal + modifiers, not below 0. */
      total: number;
      currency: string;
      /** @description True if a discount was larger than what was left to discount (of a ticket, the order, or the tickets of a "buy x get y"), and was cut to that. The total need not be 0. */
      clampedAtZero: boolean;
    };
    DroppedAdjustment: {
      adjustmentId: string;
      /** @description Absent, like `code`, if the adjustment needs a code that was not presented and the API key lacks pricing:read. */
      name?: string;
      category: string;
      code?: string;
      /** @enum {string} */
      reason:
        | 'target-mismatch'
        | 'not-started'
        | 'ended'
        | 'outside-recurring-window'
        | 'quantity-below-minimum'
        | 'quantity-above-maximum'
        | 'order-total-below-minimum'
        | 'order-total-above-maximum'
        | 'order-total-missing'
        | 'eligible-total-below-minimum'
        | 'segment-mismatch'
        | 'channel-mismatch'
        | 'tag-mismatch'
        | 'code-not-presented'
        | 'code-used-up'
        | 'code-revoked'
        | 'code-counts-once'
        | 'redemption-limit-reached'
        | 'customer-redemption-limit-reached'
        | 'ticket-limit-reached'
        | 'customer-ticket-limit-reached'
        | 'budget-exhausted'
        | 'customer-missing'
        | 'currency-mismatch'
        | 'replaced-within-category'
        | 'excluded-by-exclusive'
        | 'combination-is-cheaper'
        | 'no-effect';
      /** @description The reason as a sentence for a merchant, with its numbers. */
      detail: string;
      /** @description The id of the adjustment that took its place. */
      replacedBy?: string;
    };
    CodeResult: {
      code: string;
      /**
       * @description `throttled`: not looked up, because too many unknown codes were entered in the last minute.
       * @enum {string}
       */
      status: 'applied' | 'dropped' | 'unknown' | 'throttled';
      adjustmentId?: string;
      /** @enum {string} */
      reason?:
        | 'target-mismatch'
        | 'not-started'
        | 'ended'
        | 'outside-recurring-window'
        | 'quantity-below-minimum'
        | 'quantity-above-maximum'
        | 'order-total-below-minimum'
        | 'order-total-above-maximum'
        | 'order-total-missing'
        | 'eligible-total-below-minimum'
        | 'segment-mismatch'
        | 'channel-mismatch'
        | 'tag-mismatch'
        | 'code-not-presented'
        | 'code-used-up'
        | 'code-revoked'
        | 'code-counts-once'
        | 'redemption-limit-reached'
        | 'customer-redemption-limit-reached'
        | 'ticket-limit-reached'
        | 'customer-ticket-limit-reached'
        | 'budget-exhausted'
        | 'customer-missing'
        | 'currency-mismatch'
        | 'replaced-within-category'
        | 'excluded-by-exclusive'
        | 'combination-is-cheaper'
        | 'no-effect';
      /** @description Why it was dropped; for a code that was applied, that it is a surcharge, if it is one. */
      detail?: string;
    };
    Redeemed: {
      redemption: components['schemas']['Redemption'];
      usage: components['schemas']['Usage'];
    };
    Redemption: {
      id: string;
      adjustmentId: string;
      orderId: string;
      customerId?: string;
      /** @description Absent if the API key lacks pricing:read. */
      code?: string;
      quantity: number;
      /** @enum {string} */
      status: 'held' | 'confirmed' | 'released' | 'lapsed';
      /** Format: date-time */
      created: string;
    };
    Usage: {
      redeemed: number;
      /** @description Null when it has no cap. */
      remaining: number | null;
    };
    Coupon: {
      id: string;
      companyId: string;
      description?: string;
      code?: string;
      type?: string;
      /** @description Minor units off each ticket, or off the order. */
      amountOff?: number;
      percentOff?: number;
      /**
       * @description Whether the discount is taken off each ticket (`unit`, the default) or once off the order.
       * @enum {string}
       */
      per?: 'unit' | 'order';
      /** @description The most that the discount takes off, in minor units: per ticket or per order. */
      maxAmount?: number;
      units?: {
        /** @description For at most this many tickets of an order. */
        max: number;
        /**
         * @description Which of the tickets that it applies to, by their prices before any adjustment.
         * @default cheapest
         * @enum {string}
         */
        pick: 'cheapest' | 'dearest';
      };
      effect?: components['schemas']['Effect'];
      /** @description The currency of `amountOff` and `maxAmount`. */
      currency?: string;
      /** @description How many orders may redeem it. Absent if there is no limit. */
      limit?: number;
      offeringIds: string[];
      contextIds: string[];
      /** Format: date-time */
      expiresAt?: string;
      /**
       * @description How it combines with others, as for price adjustments. Without it, `replace-within-category`: of all coupons, the best for the buyer counts.
       * @enum {string}
       */
      stacking?: 'replace-within-category' | 'stackable' | 'exclusive';
      /**
       * @description Without it, `list-price`.
       * @enum {string}
       */
      effectBase?: 'list-price' | 'current-price';
      /** @description The highest is applied first. Without it, 0. */
      priority?: number;
      /** @description Without it, `discount-coupon`. */
      category?: string;
      /** @constant */
      uniqueCodes?: true;
      /** Format: date-time */
      startsAt?: string;
      recurring?: {
        days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
        from: string;
        /** @description Before `from`, it is on the next day. */
        to: string;
        /**
         * @description An IANA time zone: the clock there decides.
         * @example Europe/Berlin
         */
        timezone: string;
      }[];
      minQuantity?: number;
      maxQuantity?: number;
      minOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      maxOrderTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      minEligibleTotal?: {
        /** @description Minor units (cents). */
        amount: number;
        /**
         * @description ISO 4217.
         * @example EUR
         */
        currency: string;
      };
      customerSegments?: string[];
      channelIds?: string[];
      tags?: string[];
      maxRedemptionsPerCustomer?: number;
      maxTickets?: number;
      maxTicketsPerCustomer?: number;
      /** @enum {string} */
      perCustomerBy?: 'id' | 'email';
      budgetId?: string;
      /** @description How often it was redeemed. */
      quantitySold: number;
      /**
       * @description `depleted`: its limit is reached. `conflict`: another active adjustment holds its code.
       * @enum {string}
       */
      status: 'active' | 'inactive' | 'depleted' | 'expired' | 'conflict';
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      changed: string;
    };
    CodeBatch: {
      id: string;
      couponId: string;
      /** @enum {string} */
      kind: 'generated' | 'imported';
      pattern?: string;
      /** @description How many orders may redeem each code. */
      limitPerCode: number;
      /** @description How many codes it has, once all are made. */
      count: number;
      /** @description How many of them exist. */
      made: number;
      /**
       * @description `running`: codes are being made; those that exist can be redeemed.
       * @enum {string}
       */
      status: 'running' | 'done' | 'revoking' | 'revoked';
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      finished?: string;
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** @description The `codes` of the request that were not issued: `duplicate` is issued already, `held` belongs to another coupon or adjustment, `invalid` cannot be a code. */
      rejected?: {
        index: number;
        /** @enum {string} */
        reason: 'duplicate' | 'held' | 'invalid';
      }[];
    };
    IssuedCode: {
      code: string;
      batchId: string;
      /** @description How many orders may redeem it; 0 once it is revoked. */
      limit: number;
      /** @description How many orders have redeemed it. */
      redeemed: number;
      /** @description The same with orders that are not confirmed yet. */
      claimed: number;
      /**
       * @description `used` by an order at least, `held` by one that is not confirmed, `revoked` before it was used, or `unused`.
       * @enum {string}
       */
      status: 'unused' | 'held' | 'used' | 'revoked';
    };
    IssuedCodeDetail: {
      code: string;
      batchId: string;
      /** @description How many orders may redeem it; 0 once it is revoked. */
      limit: number;
      /** @description How many orders have redeemed it. */
      redeemed: number;
      /** @description The same with orders that are not confirmed yet. */
      claimed: number;
      /**
       * @description `used` by an order at least, `held` by one that is not confirmed, `revoked` before it was used, or `unused`.
       * @enum {string}
       */
      status: 'unused' | 'held' | 'used' | 'revoked';
      /** @description The orders that have it, or had it, newest first: 100 at most. */
      orderIds: string[];
    };
    CartSession: {
      id: string;
      companyId: string;
      /**
       * @description `ordered` once an order was placed of it. It then shows what the order bought and costs, until the order is cancelled or expires: then the session is `open` again, with its items and codes, and without a seat.
       * @enum {string}
       */
      status: 'open' | 'ordered';
      /** @description The order, of a session that is `ordered`. */
      orderId?: string;
      contextId?: string;
      items: components['schemas']['CartItem'][];
      /** @description The codes attached, as typed. */
      coupons: string[];
      /** @description What each code did, or why it did nothing. */
      couponResults: components['schemas']['CodeResult'][];
      /** @description What changed the price of the cart as a whole. */
      perOrderModifiers: components['schemas']['Modifier'][];
      summary: components['schemas']['CartSummary'];
      /** @description What the buyer pays now: the items' totals and the order-wide modifiers together. In a session that is ordered, the total of the order. */
      total: number;
      currency: string;
      customerId?: string;
      /** @description For limits per customer that go by the e-mail address. An order goes by its own. */
      customerEmail?: string;
      customerSegment?: string;
      channelId?: string;
      /** @description The table at which the session, or its order, has seats. */
      tableCommitmentId?: string;
      /** @description How many seats it has there. */
      seats?: number;
      /**
       * Format: date-time
       * @description When the seats are free for others, unless the session changes or is ordered before.
       */
      seatHeldUntil?: string;
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      changedAt: string;
      /**
       * Format: date-time
       * @description When the session expires, unless it changes before.
       */
      expiresAt: string;
      /**
       * Format: date-time
       * @description When the prices were known to be right; for a session that is ordered, when the order was created. Not covered by the ETag.
       */
      pricedAt: string;
      /**
       * @description `stored` if current prices were not available: these are the prices of pricedAt.
       * @enum {string}
       */
      priceStatus: 'current' | 'stored';
    };
    CartItem: {
      /** @description Absent only if an item of the order has none. */
      offeringId?: string;
      name?: string;
      quantity: number;
      /** @description The list price; null when there is none. */
      unitPrice: number | null;
      /** @description After all per-unit modifiers; of the dearest ticket, if they differ. */
      effectiveUnitPrice: number | null;
      /** @description effectiveUnitPrice x quantity, or the sum over `groups`. */
      total: number;
      /** @description What changed the unit price. */
      modifiers: components['schemas']['Modifier'][];
      /** @description Only if tickets of the item differ in price: how many cost how much. */
      groups?: {
        quantity: number;
        effectiveUnitPrice: number;
      }[];
      priced: boolean;
      /** @enum {string} */
      unpricedReason?: 'not-in-catalogue' | 'not-for-sale' | 'currency-mismatch' | 'amount-too-large';
      /** @description Whether this quantity can be ordered, with what else the cart has of the event. The status of the event and the number of tickets left are at most 10 seconds old, and only the order is final. Absent for an offering that is not in the catalogue, and in a session that is ordered. */
      available?: boolean;
      /** @enum {string} */
      unavailableReason?:
        | 'event-draft'
        | 'event-cancelled'
        | 'event-completed'
        | 'event-archived'
        | 'event-over'
        | 'inactive'
        | 'not-yet-on-sale'
        | 'no-longer-on-sale'
        | 'above-max-per-order'
        | 'too-few-left';
    };
    CartSummary: {
      /** @description List price x quantity. */
      subtotal: number;
      /** @description The sum of all modifiers. */
      modifiers: number;
      /** @description subtotal + modifiers, not below 0; in a session that is ordered with fees and tax. */
      total: number;
      currency: string;
      /** @description True if a discount was larger than what was left to discount (of a ticket, the order, or the tickets of a "buy x get y"), and was cut to that. The total need not be 0. Absent in a session that is ordered. */
      clampedAtZero?: boolean;
      /** @description Of the order, in a session that is ordered. */
      fees?: number;
      /** @description Of the order, in a session that is ordered. */
      tax?: number;
    };
    TableCommitment: {
      id: string;
      companyId: string;
      contextId: string;
      offeringId?: string;
      seats: number;
      seatsTaken: number;
      minimumSpend?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      /** @description The total of the orders that hold seats, with fees and tax, in minor units. Only orders in the currency of `minimumSpend` count; if it names none, those in the currency of the first order. */
      spent: number;
      /** @enum {string} */
      status: 'open' | 'full' | 'closed';
      /** @description The ids of the sessions that hold seats, in the order they joined. */
      joinedSessions: string[];
      /** @description How many seats each of these sessions has. */
      parties: {
        sessionId: string;
        seats: number;
        /** @description The order that the seats were bought with. */
        orderId?: string;
      }[];
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      createdAt: string;
    };
    PlacedOrder: {
      order: components['schemas']['Order'];
    };
    Order: {
      orderNumber: string;
      /**
       * @description ISO 4217.
       * @example EUR
       */
      currency: string;
      companyId: string;
      /** @description Stored with the order; it does not change the price. */
      organizerId: string;
      /** @description The event, venue or organization. It decides what applies to items that are not in the catalogue. */
      contextId: string;
      customer: {
        id?: string;
        /** Format: email */
        email: string;
        firstName?: string;
        lastName?: string;
        phone?: string;
      } & {
        [key: string]: unknown;
      };
      /** @description `pending`, `placed`, `cancelled`, `expired`, or the label of a placed order. */
      status: string;
      items: components['schemas']['OrderItem'][];
      costs: components['schemas']['OrderCosts'];
      coupons: components['schemas']['OrderCoupon'][];
      /** @description Kept as it is sent; at most 65536 bytes as JSON. */
      agreements: {
        [key: string]: unknown;
      };
      /** @description Kept as it is sent; at most 65536 bytes as JSON. */
      answers: {
        [key: string]: unknown;
      };
      /** @description Kept as it is sent; at most 65536 bytes as JSON. */
      forwarded: {
        [key: string]: unknown;
      };
      /** @description Kept as it is sent; at most 65536 bytes as JSON. */
      meta: {
        [key: string]: unknown;
      };
      uid?: string;
      /** @description The cart session that becomes the order. Without `items` the order has the session's. Its codes, customer, segment and channel count, and its seat at a table becomes the order's. */
      cartSessionId?: string;
      customerSegment?: string;
      channelId?: string;
      context: {
        urn: string;
      } & {
        [key: string]: unknown;
      };
      id: string;
      pricing: components['schemas']['OrderPricing'];
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      changedAt: string;
      /**
       * Format: date-time
       * @description When a pending order expires, unless it is confirmed before; when an expired one did.
       */
      expiresAt?: string;
      /** Format: date-time */
      cancelledAt?: string;
      /** @description Of an order that was cancelled because its event was called off. */
      callOff?: {
        /** @description The call-off: `cof_...`. */
        id: string;
        reason: string;
        eventId: string;
        /**
         * @description `placed`: it is to be paid back.
         * @enum {string}
         */
        stateBefore: 'pending' | 'placed';
      };
      /** @description How many amendments it has, with those that ended without effect. Absent: none. */
      amendments?: number;
      /** @description The amendment that waits to be confirmed. Until then the order stays as it is. */
      pendingAmendment?: components['schemas']['PendingAmendment'];
    };
    OrderItem: {
      offeringId?: string;
      name?: string;
      /** @default 1 */
      quantity: number;
      /** @description Before adjustments. Absent if the item has no price. */
      unitPrice?: number;
      price?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      amount?:
        | number
        | {
            /** @description Minor units (cents). */
            amount: number;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency: string;
          };
      total: number;
      /** @description The adjustments that made its price, by id. The order redeems each once. One with a code needs that code in `coupons`, unless the API key has orders:write. */
      adjustments?: (
        | string
        | ({
            adjustmentId: string;
          } & {
            [key: string]: unknown;
          })
      )[];
      /** @description Names the item within its order: `ln_1`, `ln_2` and so on. */
      lineId: string;
      /** @description The event of its offering. Absent if that is not in the catalogue. */
      eventId?: string;
      /** @description The series that this event is, or is an instance of. */
      seriesId?: string;
      /** @description After adjustments of single units. */
      effectiveUnitPrice?: number;
      /** @description What changed the unit price. */
      modifiers: components['schemas']['Modifier'][];
      /** @description The item's part of each of `pricing.modifiers` of the order. If its tickets differ in price, because an adjustment counts for some of them, every adjustment of the item is here, and none in `modifiers`. */
      shares: components['schemas']['OrderShare'][];
      /** @description What it costs more because returned tickets were not paid back at their price. Absent: nothing. */
      withheld?: number;
      /** @description What the order charges for the item: `total` and `shares`, or its part of what the order states. With the other items, fees and tax it is the order's total. */
      charged: number;
      /** @description False if neither the catalogue nor the order has a price for the item: it adds nothing to the total. */
      priced: boolean;
    } & {
      [key: string]: unknown;
    };
    OrderShare: {
      adjustmentId: string;
      name: string;
      code?: string;
      /** @description Signed minor units. */
      total: number;
      /** @description Only of an adjustment that changes the price of some tickets of the item: of how many. Each ticket has an even part of `total`, whichever is returned. */
      units?: number;
    };
    OrderCosts: {
      /** @description Before adjustments: unit prices x quantities. */
      subtotal: number;
      /** @description What adjustments add to the subtotal. Mostly negative. */
      modifiers: number;
      fees: number;
      tax: number;
      total: number;
      currency: string;
    } & {
      [key: string]: unknown;
    };
    OrderCoupon: {
      code: string;
      adjustmentId?: string;
      /** @description Absent from a code that lost: it was not redeemed. */
      redemptionId?: string;
      /** @enum {string} */
      reason?:
        | 'target-mismatch'
        | 'not-started'
        | 'ended'
        | 'outside-recurring-window'
        | 'quantity-below-minimum'
        | 'quantity-above-maximum'
        | 'order-total-below-minimum'
        | 'order-total-above-maximum'
        | 'order-total-missing'
        | 'eligible-total-below-minimum'
        | 'segment-mismatch'
        | 'channel-mismatch'
        | 'tag-mismatch'
        | 'code-not-presented'
        | 'code-used-up'
        | 'code-revoked'
        | 'code-counts-once'
        | 'redemption-limit-reached'
        | 'customer-redemption-limit-reached'
        | 'ticket-limit-reached'
        | 'customer-ticket-limit-reached'
        | 'budget-exhausted'
        | 'customer-missing'
        | 'currency-mismatch'
        | 'replaced-within-category'
        | 'excluded-by-exclusive'
        | 'combination-is-cheaper'
        | 'no-effect';
      detail?: string;
    } & {
      [key: string]: unknown;
    };
    OrderPricing: {
      /**
       * @description `stated`: a key with `orders:write` sent a price of its own.
       * @enum {string}
       */
      source: 'platform' | 'stated';
      /** @description The platform's price, with fees and tax. */
      total: number;
      /** @description What the order costs more than that; negative if it costs less. */
      difference: number;
      /** @description What changed the price of the order as a whole. */
      modifiers: components['schemas']['Modifier'][];
      /** @description What the order costs more because returned tickets were not paid back at their price. Absent: nothing. */
      withheld?: number;
    };
    PendingAmendment: {
      id: string;
      /** @description To be paid before it is confirmed; negative: to be paid back. Minor units. */
      due: number;
      /** @description What the order costs once it is confirmed. */
      total: number;
      /** Format: date-time */
      expiresAt: string;
    };
    AmendmentPreview: {
      /** @description What it would come to, or why it would be refused. */
      keep:
        | {
            currency: string;
            /** @description To be paid; negative: to be paid back. Minor units. */
            due: number;
            /** @description What the tickets of the order cost more because returned ones were not paid back at their price. */
            withheld: number;
            costs: {
              before: {
                /** @description Before adjustments: unit prices x quantities. */
                subtotal: number;
                /** @description What adjustments add to the subtotal. Mostly negative. */
                modifiers: number;
                fees: number;
                tax: number;
                total: number;
              } & {
                [key: string]: unknown;
              };
              after: {
                /** @description Before adjustments: unit prices x quantities. */
                subtotal: number;
                /** @description What adjustments add to the subtotal. Mostly negative. */
                modifiers: number;
                fees: number;
                tax: number;
                total: number;
              } & {
                [key: string]: unknown;
              };
            };
            lines: {
              lineId: string;
              quantity: {
                before: number;
                after: number;
              };
              charged: {
                before: number;
                after: number;
              };
              due: number;
              offeringId?: string;
              name?: string;
            }[];
            /** @description The seats of the order at its table. Absent if they stay. */
            seats?: {
              before: number;
              after: number;
            };
            /** @description What each adjustment adds to the whole order, before and after. */
            modifiers: {
              adjustmentId: string;
              name: string;
              code?: string;
              total: {
                before: number;
                after: number;
              };
            }[];
            redemptions: {
              /** @description The adjustments that the order redeems in addition. */
              claimed: string[];
              /** @description The adjustments of which it gives its redemption back. */
              released: string[];
            };
          }
        | {
            code: string;
            message: string;
            details?: {
              [key: string]: unknown;
            }[];
          };
      /** @description What it would come to, or why it would be refused. */
      reprice:
        | {
            currency: string;
            /** @description To be paid; negative: to be paid back. Minor units. */
            due: number;
            /** @description What the tickets of the order cost more because returned ones were not paid back at their price. */
            withheld: number;
            costs: {
              before: {
                /** @description Before adjustments: unit prices x quantities. */
                subtotal: number;
                /** @description What adjustments add to the subtotal. Mostly negative. */
                modifiers: number;
                fees: number;
                tax: number;
                total: number;
              } & {
                [key: string]: unknown;
              };
              after: {
                /** @description Before adjustments: unit prices x quantities. */
                subtotal: number;
                /** @description What adjustments add to the subtotal. Mostly negative. */
                modifiers: number;
                fees: number;
                tax: number;
                total: number;
              } & {
                [key: string]: unknown;
              };
            };
            lines: {
              lineId: string;
              quantity: {
                before: number;
                after: number;
              };
              charged: {
                before: number;
                after: number;
              };
              due: number;
              offeringId?: string;
              name?: string;
            }[];
            /** @description The seats of the order at its table. Absent if they stay. */
            seats?: {
              before: number;
              after: number;
            };
            /** @description What each adjustment adds to the whole order, before and after. */
            modifiers: {
              adjustmentId: string;
              name: string;
              code?: string;
              total: {
                before: number;
                after: number;
              };
            }[];
            redemptions: {
              /** @description The adjustments that the order redeems in addition. */
              claimed: string[];
              /** @description The adjustments of which it gives its redemption back. */
              released: string[];
            };
          }
        | {
            code: string;
            message: string;
            details?: {
              [key: string]: unknown;
            }[];
          };
    };
    AmendedOrder: {
      order: components['schemas']['Order'];
      /** @description Absent if the order was so already. */
      amendment?: components['schemas']['Amendment'];
    };
    Amendment: {
      currency: string;
      /** @description To be paid; negative: to be paid back. Minor units. */
      due: number;
      /** @description What the tickets of the order cost more because returned ones were not paid back at their price. */
      withheld: number;
      costs: {
        before: {
          /** @description Before adjustments: unit prices x quantities. */
          subtotal: number;
          /** @description What adjustments add to the subtotal. Mostly negative. */
          modifiers: number;
          fees: number;
          tax: number;
          total: number;
        } & {
          [key: string]: unknown;
        };
        after: {
          /** @description Before adjustments: unit prices x quantities. */
          subtotal: number;
          /** @description What adjustments add to the subtotal. Mostly negative. */
          modifiers: number;
          fees: number;
          tax: number;
          total: number;
        } & {
          [key: string]: unknown;
        };
      };
      lines: {
        lineId: string;
        quantity: {
          before: number;
          after: number;
        };
        charged: {
          before: number;
          after: number;
        };
        due: number;
        offeringId?: string;
        name?: string;
      }[];
      /** @description The seats of the order at its table. Absent if they stay. */
      seats?: {
        before: number;
        after: number;
      };
      /** @description What each adjustment adds to the whole order, before and after. */
      modifiers: {
        adjustmentId: string;
        name: string;
        code?: string;
        total: {
          before: number;
          after: number;
        };
      }[];
      redemptions: {
        /** @description The adjustments that the order redeems in addition. */
        claimed: string[];
        /** @description The adjustments of which it gives its redemption back. */
        released: string[];
      };
      id: string;
      /** @description 1 for the first of its order. */
      number: number;
      orderId: string;
      /**
       * @description `pending`: it waits to be confirmed. An `expired` or `cancelled` one changed nothing.
       * @enum {string}
       */
      state: 'pending' | 'applied' | 'expired' | 'cancelled';
      /** @enum {string} */
      mode: 'keep' | 'reprice';
      reason?: string;
      /** @description The call-off of the event whose tickets it returned. */
      callOff?: {
        /** @description The call-off: `cof_...`. */
        id: string;
        reason: string;
        eventId: string;
      };
      /** @description The API key that made it. */
      actor?: string;
      /** Format: date-time */
      created: string;
      /**
       * Format: date-time
       * @description Until when it could be confirmed. Absent if it was applied at once.
       */
      expiresAt?: string;
      /** @description The version that the order got by it, once it is applied. */
      orderVersion?: number;
    };
    MovedAmendment: {
      order: components['schemas']['Order'];
      amendment: components['schemas']['Amendment'];
    };
    AmendmentWithBefore: {
      currency: string;
      /** @description To be paid; negative: to be paid back. Minor units. */
      due: number;
      /** @description What the tickets of the order cost more because returned ones were not paid back at their price. */
      withheld: number;
      costs: {
        before: {
          /** @description Before adjustments: unit prices x quantities. */
          subtotal: number;
          /** @description What adjustments add to the subtotal. Mostly negative. */
          modifiers: number;
          fees: number;
          tax: number;
          total: number;
        } & {
          [key: string]: unknown;
        };
        after: {
          /** @description Before adjustments: unit prices x quantities. */
          subtotal: number;
          /** @description What adjustments add to the subtotal. Mostly negative. */
          modifiers: number;
          fees: number;
          tax: number;
          total: number;
        } & {
          [key: string]: unknown;
        };
      };
      lines: {
        lineId: string;
        quantity: {
          before: number;
          after: number;
        };
        charged: {
          before: number;
          after: number;
        };
        due: number;
        offeringId?: string;
        name?: string;
      }[];
      /** @description The seats of the order at its table. Absent if they stay. */
      seats?: {
        before: number;
        after: number;
      };
      /** @description What each adjustment adds to the whole order, before and after. */
      modifiers: {
        adjustmentId: string;
        name: string;
        code?: string;
        total: {
          before: number;
          after: number;
        };
      }[];
      redemptions: {
        /** @description The adjustments that the order redeems in addition. */
        claimed: string[];
        /** @description The adjustments of which it gives its redemption back. */
        released: string[];
      };
      id: string;
      /** @description 1 for the first of its order. */
      number: number;
      orderId: string;
      /**
       * @description `pending`: it waits to be confirmed. An `expired` or `cancelled` one changed nothing.
       * @enum {string}
       */
      state: 'pending' | 'applied' | 'expired' | 'cancelled';
      /** @enum {string} */
      mode: 'keep' | 'reprice';
      reason?: string;
      /** @description The call-off of the event whose tickets it returned. */
      callOff?: {
        /** @description The call-off: `cof_...`. */
        id: string;
        reason: string;
        eventId: string;
      };
      /** @description The API key that made it. */
      actor?: string;
      /** Format: date-time */
      created: string;
      /**
       * Format: date-time
       * @description Until when it could be confirmed. Absent if it was applied at once.
       */
      expiresAt?: string;
      /** @description The version that the order got by it, once it is applied. */
      orderVersion?: number;
      before: {
        items: components['schemas']['OrderItem'][];
        costs: components['schemas']['OrderCosts'];
        coupons: components['schemas']['OrderCoupon'][];
      };
    };
    Sales: {
      /** @enum {string} */
      interval: 'hour' | 'day';
      timezone: string;
      /**
       * Format: date-time
       * @description When the first bucket begins.
       */
      from: string;
      /**
       * Format: date-time
       * @description When the last bucket ends.
       */
      to: string;
      /**
       * Format: date-time
       * @description What happened until then is counted. Usually that is now; it is earlier while counting is behind.
       */
      countedUntil: string;
      /** @description The sums of all buckets, one for each currency. */
      totals: components['schemas']['SaleTotal'][];
      /** @description Oldest first. A bucket in which nothing was sold or returned in a currency is left out. */
      buckets: components['schemas']['SaleBucket'][];
    };
    SaleTotal: {
      /**
       * @description ISO 4217.
       * @example EUR
       */
      currency: string;
      orders: {
        /** @description Orders that were placed, confirmed or reopened. */
        placed: number;
        /** @description Placed orders that were cancelled. */
        cancelled: number;
        /** @description Pending orders that expired. They were never placed. */
        expired: number;
      };
      tickets: {
        /** @description Tickets of orders that were placed, and those that amendments added. */
        sold: number;
        /** @description Tickets of placed orders that were cancelled, and those that amendments took away. */
        returned: number;
      };
      /** @description What buyers had to pay; of an event or series, for its items alone, without fees and tax. An amendment counts with the difference. */
      charged: number;
      /** @description What buyers were due back. */
      refunded: number;
      discounts: {
        /** @description Taken off list prices. */
        given: number;
        /** @description Of that, what belonged to orders and items that were cancelled or returned. */
        returned: number;
      };
      /** @description Absent for an event or series. Part of charged and refunded. */
      fees?: {
        /** @description Fees of orders when they were placed or amended. */
        charged: number;
        /** @description Fees of orders when they were cancelled or amended. */
        refunded: number;
      };
      /** @description Absent for an event or series. Part of charged and refunded. */
      tax?: {
        /** @description Tax of orders when they were placed or amended. */
        charged: number;
        /** @description Tax of orders when they were cancelled or amended. */
        refunded: number;
      };
    };
    SaleBucket: {
      /**
       * Format: date-time
       * @description When the bucket begins.
       */
      start: string;
      /**
       * @description ISO 4217.
       * @example EUR
       */
      currency: string;
      orders: {
        /** @description Orders that were placed, confirmed or reopened. */
        placed: number;
        /** @description Placed orders that were cancelled. */
        cancelled: number;
        /** @description Pending orders that expired. They were never placed. */
        expired: number;
      };
      tickets: {
        /** @description Tickets of orders that were placed, and those that amendments added. */
        sold: number;
        /** @description Tickets of placed orders that were cancelled, and those that amendments took away. */
        returned: number;
      };
      /** @description What buyers had to pay; of an event or series, for its items alone, without fees and tax. An amendment counts with the difference. */
      charged: number;
      /** @description What buyers were due back. */
      refunded: number;
      discounts: {
        /** @description Taken off list prices. */
        given: number;
        /** @description Of that, what belonged to orders and items that were cancelled or returned. */
        returned: number;
      };
      /** @description Absent for an event or series. Part of charged and refunded. */
      fees?: {
        /** @description Fees of orders when they were placed or amended. */
        charged: number;
        /** @description Fees of orders when they were cancelled or amended. */
        refunded: number;
      };
      /** @description Absent for an event or series. Part of charged and refunded. */
      tax?: {
        /** @description Tax of orders when they were placed or amended. */
        charged: number;
        /** @description Tax of orders when they were cancelled or amended. */
        refunded: number;
      };
    };
    AdjustmentSales: {
      /** @enum {string} */
      interval: 'hour' | 'day';
      timezone: string;
      /**
       * Format: date-time
       * @description When the first bucket begins.
       */
      from: string;
      /**
       * Format: date-time
       * @description When the last bucket ends.
       */
      to: string;
      /**
       * Format: date-time
       * @description What happened until then is counted. Usually that is now; it is earlier while counting is behind.
       */
      countedUntil: string;
      /** @description The most redemptions first. */
      adjustments: components['schemas']['AdjustmentSale'][];
    };
    AdjustmentSale: {
      adjustmentId: string;
      /** @description As it was called when it was last redeemed. */
      name: string;
      /** @description The code with which it was last redeemed. */
      code?: string;
      /**
       * @description ISO 4217.
       * @example EUR
       */
      currency: string;
      redemptions: {
        /** @description Orders in whose price it counted, when they were placed or amended. */
        redeemed: number;
        /** @description Those in which it no longer counts, because they were cancelled or amended. */
        released: number;
      };
      discounts: {
        /** @description Taken off list prices. */
        given: number;
        /** @description Of that, what belonged to orders and items that were cancelled or returned. */
        returned: number;
      };
      /** @description What it added to list prices. */
      surcharges: {
        /** @description Taken off list prices. */
        given: number;
        /** @description Of that, what belonged to orders and items that were cancelled or returned. */
        returned: number;
      };
      /** @description Oldest first, without empty ones. */
      buckets: {
        /**
         * Format: date-time
         * @description When the bucket begins.
         */
        start: string;
        redemptions: {
          /** @description Orders in whose price it counted, when they were placed or amended. */
          redeemed: number;
          /** @description Those in which it no longer counts, because they were cancelled or amended. */
          released: number;
        };
        discounts: {
          /** @description Taken off list prices. */
          given: number;
          /** @description Of that, what belonged to orders and items that were cancelled or returned. */
          returned: number;
        };
        /** @description What it added to list prices. */
        surcharges: {
          /** @description Taken off list prices. */
          given: number;
          /** @description Of that, what belonged to orders and items that were cancelled or returned. */
          returned: number;
        };
      }[];
    };
    Rehearsal: {
      id: string;
      /** Format: date-time */
      from: string;
      /** Format: date-time */
      to: string;
      /** @enum {string} */
      status: 'running' | 'done';
      progress: {
        /** @description How many orders of the period it has replayed, of all states. */
        orders: number;
        of: number;
      };
      /** Format: date-time */
      created: string;
      /** @description Once it is done. */
      report?: components['schemas']['RehearsalReport'];
    };
    RehearsalReport: {
      /** @description How many orders of the period stand, in all currencies. */
      orders: number;
      /** @description How many of them would have cost something else, or would have been refused. */
      touched: number;
      currencies: {
        currency: string;
        /** @description Those that stand: pending and placed ones. */
        orders: number;
        before: {
          /** @description The totals of the orders, with fees and tax. */
          revenue: number;
          /** @description What discounts took off. Positive. */
          discounts: number;
        };
        after: {
          /** @description The totals of the orders, with fees and tax. */
          revenue: number;
          /** @description What discounts took off. Positive. */
          discounts: number;
        };
        /** @description Orders that would have cost less, and how much less. */
        winners: {
          orders: number;
          /** @description Minor units, of all of them together. Positive. */
          amount: number;
        };
        /** @description Orders that would have cost more, and how much more. */
        losers: {
          orders: number;
          /** @description Minor units, of all of them together. Positive. */
          amount: number;
        };
        /** @description Orders that would have been refused because a code of theirs would not have counted, and what they cost. They are missing in `after`; their buyers may have bought without the code. */
        refused: {
          orders: number;
          /** @description Minor units, of all of them together. Positive. */
          amount: number;
        };
      }[];
      /** @description Caps and budgets of which nothing was left, before or after. */
      ranOut: {
        /** @enum {string} */
        pool: 'redemptions' | 'tickets' | 'budget';
        adjustmentId?: string;
        budgetId?: string;
        /** @description Of a budget per day: which one. */
        day?: string;
        name: string;
        /**
         * Format: date-time
         * @description When nothing was left. Absent: there was something left at the end.
         */
        before?: string;
        /**
         * Format: date-time
         * @description When nothing would have been left.
         */
        after?: string;
      }[];
      /** @description Up to 20 touched orders: refused ones first, then those that differ most. */
      samples: {
        orderId: string;
        orderNumber: string;
        /** Format: date-time */
        createdAt: string;
        currency: string;
        /** @description Before adjustments. */
        subtotal: number;
        /** @description Fees and tax. */
        charges: number;
        before: {
          total: number;
          modifiers: {
            adjustmentId: string;
            name: string;
            code?: string;
            total: number;
          }[];
        };
        /** @description Absent if the order would have been refused. */
        after?: {
          total: number;
          modifiers: {
            adjustmentId: string;
            name: string;
            code?: string;
            total: number;
          }[];
        };
        /** @description Why it would have been refused. */
        refusal?: string;
      }[];
      /** @description Orders that count before and after as they were. */
      kept: {
        /** @description They were changed after they were placed. */
        amended: number;
        /** @description Their prices were stated by the caller. */
        stated: number;
        /** @description The platform does not find the price that they had: something was changed that it does not keep. */
        unexplained: number;
      };
      /** @description What a rehearsal does not know. */
      notModelled: string[];
    };
    CallOff: {
      id: string;
      eventId: string;
      /**
       * @description `running`: its orders are being dealt with. `undone`: the event has the status from before.
       * @enum {string}
       */
      status: 'running' | 'done' | 'undone';
      reason: string;
      cancelOrders: boolean;
      /** @description So far, while it is running. */
      report: {
        /** @description The orders with tickets of the event. The sum of the next four. */
        orders: number;
        /** @description Cancelled as a whole. */
        cancelled: number;
        /** @description Those that also have something else: only the tickets of the event were returned. */
        changed: number;
        /** @description Those whose tickets could not be returned, for the reason that the list gives. */
        byHand: number;
        /** @description Without `cancelOrders`: those that stay as they are. */
        listed: number;
        /** @description How many tickets of the event these orders have, or had. */
        tickets: number;
        /** @description By currency, what the placed orders among them paid for what they no longer have; if they are only listed, what that would be. The platform moves no money. */
        toPayBack: {
          /** @description Minor units (cents). */
          amount: number;
          /**
           * @description ISO 4217.
           * @example EUR
           */
          currency: string;
        }[];
        /** @description How many e-mail addresses the orders have, each counted once. Absent while it is running. */
        emails?: number;
      };
      /** Format: date-time */
      created: string;
    };
    CalledOffOrder: {
      orderId: string;
      orderNumber: string;
      email: string;
      firstName?: string;
      lastName?: string;
      /** @description How many tickets of the event it had. */
      tickets: number;
      currency: string;
      /** @description Minor units. 0 if it was not paid yet. Absent if that is to be found out by hand. */
      toPayBack?: number;
      /**
       * @description `cancelled` as a whole; `changed`: only the tickets of the event were returned; `by-hand`: see `why`; `listed`: it stays as it is.
       * @enum {string}
       */
      state: 'cancelled' | 'changed' | 'by-hand' | 'listed';
      /** @description Why its tickets could not be returned. */
      why?: string;
      /** @description The status of the order now. */
      orderStatus: string;
    };
    ActivityEntry: {
      /** @description The same wherever this entry arrives: use it to recognise repeats. */
      id: string;
      /** @description The place in the log. Send it as `after` to continue after this entry. */
      cursor: string;
      /** @description `order.placed`, `coupon.updated`, ... New types may be added. */
      type: string;
      /** Format: date-time */
      timestamp: string;
      companyId: string;
      /** @enum {string} */
      environment: 'live' | 'test';
      /** @description The id of the record that changed. */
      subject: string;
      /** @description The version of the record after the change. */
      version?: number;
      /** @description The API key whose request led to it. Missing where the platform acted by itself. */
      actor?: {
        keyId: string;
        /** @description The name that the key had then. */
        name?: string;
      };
      /** @description The `x-request-id` of the request that led to it. */
      requestId?: string;
      /** @description The ids of other records that it concerns. */
      related: string[];
      /** @description The record as it was after the change, without large lists. */
      data: {
        [key: string]: unknown;
      };
      /** @description What the change changed, where a record was replaced: at most 50 members. */
      changes?: components['schemas']['RecordChange'][];
    };
    RecordChange: {
      /** @description The member that changed, such as `conditions.endsAt`; `*` stands for the rest. */
      path: string;
      /** @description Its value before; missing if it had none. */
      before?: unknown;
      /** @description Its value after; missing if it has none. */
      after?: unknown;
      /**
       * @description Its values are not kept, because they are about people.
       * @constant
       */
      redacted?: true;
      /**
       * @description Its values are too large to be kept.
       * @constant
       */
      truncated?: true;
    };
    CreatedWebhook: {
      id: string;
      companyId: string;
      url: string;
      types: string[];
      description?: string;
      /** @enum {string} */
      status: 'active' | 'paused';
      /** @enum {string} */
      pausedBy?: 'company' | 'platform';
      /** @description Why the platform paused it. */
      statusReason?: string;
      /**
       * Format: date-time
       * @description Since when no delivery has succeeded.
       */
      failingSince?: string;
      /**
       * Format: date-time
       * @description When the oldest event happened that still has to be delivered.
       */
      oldestUndeliveredAt?: string;
      counts: {
        /** @description Events that failed, and will be sent again. */
        retrying: number;
        /** @description Events that wait for an earlier one of the same record. */
        waiting: number;
        /** @description Events that were given up after all retries. Send them again with a replay. */
        parked: number;
      };
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      changed: string;
      /** @description Verifies signatures. Keep it: it is shown once. */
      secret: string;
    };
    Webhook: {
      id: string;
      companyId: string;
      url: string;
      types: string[];
      description?: string;
      /** @enum {string} */
      status: 'active' | 'paused';
      /** @enum {string} */
      pausedBy?: 'company' | 'platform';
      /** @description Why the platform paused it. */
      statusReason?: string;
      /**
       * Format: date-time
       * @description Since when no delivery has succeeded.
       */
      failingSince?: string;
      /**
       * Format: date-time
       * @description When the oldest event happened that still has to be delivered.
       */
      oldestUndeliveredAt?: string;
      counts: {
        /** @description Events that failed, and will be sent again. */
        retrying: number;
        /** @description Events that wait for an earlier one of the same record. */
        waiting: number;
        /** @description Events that were given up after all retries. Send them again with a replay. */
        parked: number;
      };
      /** @description Counts changes; the ETag begins with it. */
      version: number;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      changed: string;
    };
    RotatedWebhookSecret: {
      /** @description Verifies signatures. Keep it: it is shown once. */
      secret: string;
      /** Format: date-time */
      previousValidUntil: string;
    };
    DeliveryAttempt: {
      /** Format: date-time */
      at: string;
      responseStatus?: number;
      durationMs: number;
      /**
       * @description Absent if the attempt succeeded.
       * @enum {string}
       */
      error?: 'timeout' | 'dns' | 'address-refused' | 'tls' | 'connection' | 'redirect' | 'status';
      /** @description The first KiB of the response. */
      responseBody?: string;
    };
    Delivery: {
      eventId: string;
      type: string;
      subject: string;
      /** Format: date-time */
      timestamp: string;
      /** @enum {string} */
      status: 'delivered' | 'retrying' | 'waiting' | 'parked';
      /** @description Oldest first. Attempts are kept for 7 days. */
      attempts: components['schemas']['DeliveryAttempt'][];
      /** Format: date-time */
      nextAttemptAt?: string;
    };
    WebhookReplay: {
      id: string;
      /** @enum {string} */
      status: 'running' | 'done';
      /** @description How many events were sent again so far. Those that failed are retried like others. */
      sent: number;
    };
    CustomerErasure: {
      id: string;
      /** @enum {string} */
      status: 'running' | 'done';
      /** @description The id that stands where the ids of the customer were. */
      pseudonym: string;
      /** @description How many records named the customer; so far, while it is running. */
      found: {
        orders: number;
        carts: number;
        /** @description Purchase groups with the customer as a member. */
        groups: number;
        redemptions: number;
        /** @description Entries of the activity log. */
        activity: number;
      };
      /** @description Where the platform keeps ids of the customer that nobody can change, and until when. */
      remains: {
        /**
         * @description `order-attempts`: what orders that were refused or are being placed hold. `event-stream`: the stream between the services, with ids only. `dead-letters`: events that a service could not handle, if there were any.
         * @enum {string}
         */
        where: 'order-attempts' | 'event-stream' | 'dead-letters';
        /** Format: date-time */
        until: string;
      }[];
      /** Format: date-time */
      created: string;
    };
    IssuedApiKey: {
      id: string;
      companyId: string;
      name: string;
      scopes: (
        | '*'
        | 'coupons:read'
        | 'coupons:write'
        | 'pricing:read'
        | 'pricing:write'
        | 'pricing:evaluate'
        | 'pricing:redeem'
        | 'carts:read'
        | 'carts:write'
        | 'orders:read'
        | 'orders:write'
        | 'orders:checkout'
        | 'events:read'
        | 'events:write'
        | 'activity:read'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'customers:erase'
        | 'keys:admin'
      )[];
      /** @enum {string} */
      environment: 'live' | 'test';
      /** @description The key's own limit. Null if it has the default. */
      rateLimit: {
        perSecond: number;
        burst: number;
      } | null;
      /** @enum {string} */
      status: 'active' | 'revoked' | 'expired';
      /** Format: date-time */
      created: string;
      /** @description The id of the key that issued this one, `root` for the operator. */
      createdBy: string;
      /** @description Correct to about a minute. */
      lastUsed: string | null;
      expires: string | null;
      revoked: string | null;
      /** @description The id of the key that replaced this one. */
      rotatedTo: string | null;
      /** @description The key itself. Keep it: it is shown once. */
      key: string;
    };
    ApiKey: {
      id: string;
      companyId: string;
      name: string;
      scopes: (
        | '*'
        | 'coupons:read'
        | 'coupons:write'
        | 'pricing:read'
        | 'pricing:write'
        | 'pricing:evaluate'
        | 'pricing:redeem'
        | 'carts:read'
        | 'carts:write'
        | 'orders:read'
        | 'orders:write'
        | 'orders:checkout'
        | 'events:read'
        | 'events:write'
        | 'activity:read'
        | 'webhooks:read'
        | 'webhooks:write'
        | 'customers:erase'
        | 'keys:admin'
      )[];
      /** @enum {string} */
      environment: 'live' | 'test';
      /** @description The key's own limit. Null if it has the default. */
      rateLimit: {
        perSecond: number;
        burst: number;
      } | null;
      /** @enum {string} */
      status: 'active' | 'revoked' | 'expired';
      /** Format: date-time */
      created: string;
      /** @description The id of the key that issued this one, `root` for the operator. */
      createdBy: string;
      /** @description Correct to about a minute. */
      lastUsed: string | null;
      expires: string | null;
      revoked: string | null;
      /** @description The id of the key that replaced this one. */
      rotatedTo: string | null;
    };
    CompanyUsage: {
      quotas: {
        /** @description active and scheduled price adjustments, those of coupons included. */
        liveAdjustments: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description price adjustments, archived ones included. */
        adjustments: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description budgets. */
        budgets: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description issued codes, revoked ones included. */
        codes: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description coupons, archived ones included. */
        coupons: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description events, series and instances. */
        events: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description offerings. */
        offerings: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description purchase groups, merged ones included. */
        purchaseGroups: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description open cart sessions. */
        openCarts: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description table commitments, closed ones included. */
        tableCommitments: {
          /** @description Records. */
          count: {
            used: number;
            limit: number;
          };
        };
        /** @description API keys that work. During a rotation there can be more of them than the limit. */
        apiKeys: {
          /** @description Keys. */
          count: {
            used: number;
            limit: number;
          };
        };
      };
    };
    Alive: {
      /** @constant */
      alive: true;
      /** @description The release that the gateway runs. */
      version: string;
      /** @description The commit that it was built from, if the build was told. */
      commit?: string;
    };
    Readiness: {
      ready: boolean;
      checks: {
        [key: string]: 'ok' | 'unavailable' | 'degraded';
      };
    };
  };
  responses: {
    /**
     * @description `BAD_REQUEST`: The request is not valid HTTP, or its path is not a plain one.
     *
     *     `VALIDATION_FAILED`: The request breaks its schema or a rule; `details` say where and how.
     *
     *     `MALFORMED_JSON`: The body is not JSON.
     */
    BadRequestOrValidationFailedOrMalformedJson: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'BAD_REQUEST' | 'VALIDATION_FAILED' | 'MALFORMED_JSON';
          };
        };
      };
    };
    /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 1 MiB. */
    PayloadTooLarge: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'PAYLOAD_TOO_LARGE';
          };
        };
      };
    };
    /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not sent as application/json, nor a PATCH as application/merge-patch+json. Or: The body is compressed. */
    UnsupportedMediaType: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'UNSUPPORTED_MEDIA_TYPE';
          };
        };
      };
    };
    /** @description `UNAUTHORIZED`: The key is missing or not valid, was revoked, or has expired. */
    Unauthorized: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        'WWW-Authenticate': components['headers']['WwwAuthenticate'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'UNAUTHORIZED';
          };
        };
      };
    };
    /** @description `FORBIDDEN`: The key lacks the scope. */
    Forbidden: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'FORBIDDEN';
          };
        };
      };
    };
    /** @description `RATE_LIMITED`: Too many requests with this key, or from this address without a valid one. Wait as long as `Retry-After` says. */
    RateLimited: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'RATE_LIMITED';
          };
        };
      };
    };
    /** @description `SERVICE_UNAVAILABLE`: A dependency is not available or is busy. Try again. */
    ServiceUnavailable: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'SERVICE_UNAVAILABLE';
          };
        };
      };
    };
    /** @description `BAD_GATEWAY`: The service behind the gateway could not be reached. */
    BadGateway: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'BAD_GATEWAY';
          };
        };
      };
    };
    /** @description `UPSTREAM_TIMEOUT`: The service behind the gateway did not respond in time. */
    UpstreamTimeout: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'UPSTREAM_TIMEOUT';
          };
        };
      };
    };
    /** @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was sent with another request, or by an API key with other scopes. */
    IdempotencyKeyReused: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'IDEMPOTENCY_KEY_REUSED';
          };
        };
      };
    };
    /** @description `REQUEST_TIMEOUT`: The request took too long to arrive. */
    RequestTimeout: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'REQUEST_TIMEOUT';
          };
        };
      };
    };
    /** @description `URI_TOO_LONG`: Path and query together are longer than 8,192 characters. */
    UriTooLong: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'URI_TOO_LONG';
          };
        };
      };
    };
    /** @description `EXPECTATION_FAILED`: The `Expect` header holds something other than `100-continue`. */
    ExpectationFailed: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'EXPECTATION_FAILED';
          };
        };
      };
    };
    /** @description `HEADERS_TOO_LARGE`: The headers are too large. */
    HeadersTooLarge: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'HEADERS_TOO_LARGE';
          };
        };
      };
    };
    /** @description `INTERNAL_ERROR`: The platform failed. Quote the request id to support. */
    InternalError: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'INTERNAL_ERROR';
          };
        };
      };
    };
    /**
     * @description `BAD_REQUEST`: The request is not valid HTTP, or its path is not a plain one.
     *
     *     `VALIDATION_FAILED`: The request breaks its schema or a rule; `details` say where and how.
     */
    BadRequestOrValidationFailed: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'BAD_REQUEST' | 'VALIDATION_FAILED';
          };
        };
      };
    };
    /**
     * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
     *
     *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
     *
     *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
     */
    AlreadyExistsOrIdempotencyKeyInUseOrQuotaExceeded: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'QUOTA_EXCEEDED';
          };
        };
      };
    };
    /** @description `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it. */
    QuotaExceeded: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'QUOTA_EXCEEDED';
          };
        };
      };
    };
    /**
     * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
     *
     *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
     */
    AlreadyExistsOrIdempotencyKeyInUse: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE';
          };
        };
      };
    };
    /** @description `BAD_REQUEST`: The request is not valid HTTP, or its path is not a plain one. */
    BadRequest: {
      headers: {
        'x-request-id': components['headers']['RequestId'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimitPolicy'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          error: {
            /** @enum {unknown} */
            code: 'BAD_REQUEST';
          };
        };
      };
    };
  };
  parameters: {
    /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
    IdempotencyKey: string;
    /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
    IfNoneMatch: string;
    /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
    IfMatch: string;
  };
  requestBodies: never;
  headers: {
    /** @description Identifies the request in the log. */
    RequestId: string;
    /** @description What is left: `"default";r=<requests>;t=<seconds>`. */
    RateLimit: string;
    /** @description The limit: `"default";q=<requests>;w=<seconds>`. */
    RateLimitPolicy: string;
    /** @description Seconds to wait before retrying. */
    RetryAfter: number;
    /** @description Identifies this version of the response, for `If-Match` and `If-None-Match`. A list of more than 64 KiB has none; a record of more than 64 KiB has one for `If-Match` only. */
    ETag: string;
    /** @description `Bearer` */
    WwwAuthenticate: string;
    /** @description `true` if this response was sent before for the same Idempotency-Key. */
    IdempotentReplayed: 'true';
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listEvents: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        kind?: 'single' | 'series' | 'instance';
        seriesId?: string;
        venueId?: string;
        status?: 'draft' | 'published' | 'postponed' | 'cancelled' | 'completed' | 'archived';
        from?: string;
        to?: string;
        /** @description Events that are not over then: their `endsAt` is later; without one, their `startsAt` is less than 24 hours before, or they have none. */
        endsAfter?: string;
        /** @description What is on at that time and what comes next, soonest first: the same as `endsAfter` with `sort=startsAt`. */
        near?: string;
        /** @description Beginnings of up to 10 words in the name or description; all of them must match, whatever their case and accents. */
        q?: string;
        /** @description `created`: newest first. `startsAt`: soonest first, those that start at the same time newest first, and those without a start last. */
        sort?: 'created' | 'startsAt';
        /** @description `true`: with `availability`, what is sold and left of each event, and from which price. */
        availability?: string;
        /** @description `true`: with `page.facets`, how many of all events that match are at each venue and have each status. One page is enough: the counts are the same for all pages. */
        facets?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of events. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Event'][];
            page: {
              /** @description The cursor of the next page; null on the last one. */
              next: string | null;
              limit: number;
              /** @description With `facets=true`: how many events match the filters, on all pages. */
              facets?: components['schemas']['EventFacets'];
            };
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EventInput'];
      };
    };
    responses: {
      /** @description The event was created. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Event'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `SERIES_NOT_FOUND`: The company has no event series of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'SERIES_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored. Or: The id is taken by another record of the company.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getEvent: {
    parameters: {
      query?: {
        /** @description `true`: with `availability`, what is sold and left of each event, and from which price. */
        availability?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The event, merged with its series if it is an instance. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Event'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `EVENT_NOT_FOUND`: The company has no event of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EventPatch'];
        'application/merge-patch+json': components['schemas']['EventPatch'];
      };
    };
    responses: {
      /** @description The event as it is now. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Event'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `EVENT_NOT_FOUND`: The company has no event of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createInstance: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The series, the parent event.
         * @example evt_tuesday_jazz
         */
        seriesId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['InstanceInput'];
      };
    };
    responses: {
      /** @description The instance, merged with its series. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Event'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `SERIES_NOT_FOUND`: The company has no event series of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'SERIES_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored. Or: The id is taken by another record of the company.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateInstances: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The series, the parent event.
         * @example evt_tuesday_jazz
         */
        seriesId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeManyDates'];
        'application/merge-patch+json': components['schemas']['ChangeManyDates'];
      };
    };
    responses: {
      /** @description All dates are changed or left alone; or a dry run. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['DatesJob'];
          };
        };
      };
      /** @description Dates are being changed. */
      202: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['DatesJob'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `SERIES_NOT_FOUND`: The company has no event series of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'SERIES_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      409: components['responses']['QuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createInstancesByRule: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The series, the parent event.
         * @example evt_tuesday_jazz
         */
        seriesId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DatesByRule'];
      };
    };
    responses: {
      /** @description The dates of a dry run. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['DatesJob'];
          };
        };
      };
      /** @description All dates are made. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['DatesJob'];
          };
        };
      };
      /** @description Dates are being made. */
      202: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['DatesJob'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `SERIES_NOT_FOUND`: The company has no event series of this id.
       *
       *     `OFFERING_NOT_FOUND`: The company has no offering of this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'SERIES_NOT_FOUND' | 'OFFERING_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      409: components['responses']['AlreadyExistsOrIdempotencyKeyInUseOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getInstancesJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The series.
         * @example evt_tuesday_jazz
         */
        seriesId: string;
        /**
         * @description The `id` of the response that began it.
         * @example job_01k9q4m2x7f8vb3t6d5c0h0001
         */
        jobId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The dates so far. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['DatesJob'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `SERIES_NOT_FOUND`: The company has no event series of this id.
       *
       *     `DATES_NOT_FOUND`: The series has no such work on its dates, or it was done more than seven days ago.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'SERIES_NOT_FOUND' | 'DATES_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateInstance: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The series, the parent event.
         * @example evt_tuesday_jazz
         */
        seriesId: string;
        /**
         * @description An instance of this series.
         * @example evt_new_year_jazz
         */
        instanceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EventPatch'];
        'application/merge-patch+json': components['schemas']['EventPatch'];
      };
    };
    responses: {
      /** @description The instance, merged with its series. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Event'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `SERIES_NOT_FOUND`: The company has no event series of this id.
       *
       *     `INSTANCE_NOT_FOUND`: The series has no instance of this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'SERIES_NOT_FOUND' | 'INSTANCE_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  revertInstance: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The series, the parent event.
         * @example evt_tuesday_jazz
         */
        seriesId: string;
        /**
         * @description An instance of this series.
         * @example evt_new_year_jazz
         */
        instanceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RevertInstance'];
      };
    };
    responses: {
      /** @description The fields have the series' values again. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Reverted'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `SERIES_NOT_FOUND`: The company has no event series of this id.
       *
       *     `INSTANCE_NOT_FOUND`: The series has no instance of this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'SERIES_NOT_FOUND' | 'INSTANCE_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listPurchaseGroups: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        status?: 'active' | 'merged';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of groups. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['PurchaseGroup'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `EVENT_NOT_FOUND`: The company has no event of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createPurchaseGroup: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PurchaseGroupInput'];
      };
    };
    responses: {
      /** @description The group was created. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['PurchaseGroup'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `EVENT_NOT_FOUND`: The company has no event of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      409: components['responses']['AlreadyExistsOrIdempotencyKeyInUseOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  mergePurchaseGroups: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
        /**
         * @description The target group.
         * @example pg_01k9q4m2x7f8vb3t6d5c0h0001
         */
        pgid: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MergePurchaseGroups'];
      };
    };
    responses: {
      /** @description The target group as it is now. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['PurchaseGroup'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `PURCHASE_GROUP_NOT_FOUND`: The event has no purchase group of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'PURCHASE_GROUP_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getPurchaseGroup: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
        /**
         * @description The group.
         * @example pg_01k9q4m2x7f8vb3t6d5c0h0002
         */
        pgid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The group. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['PurchaseGroup'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `PURCHASE_GROUP_NOT_FOUND`: The event has no purchase group of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'PURCHASE_GROUP_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  deletePurchaseGroup: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
        /**
         * @description The group.
         * @example pg_01k9q4m2x7f8vb3t6d5c0h0002
         */
        pgid: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The group as it was. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['PurchaseGroup'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `PURCHASE_GROUP_NOT_FOUND`: The event has no purchase group of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'PURCHASE_GROUP_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again. */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updatePurchaseGroup: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
        /**
         * @description The group.
         * @example pg_01k9q4m2x7f8vb3t6d5c0h0001
         */
        pgid: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PurchaseGroupPatch'];
        'application/merge-patch+json': components['schemas']['PurchaseGroupPatch'];
      };
    };
    responses: {
      /** @description The group as it is now. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['PurchaseGroup'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `PURCHASE_GROUP_NOT_FOUND`: The event has no purchase group of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'PURCHASE_GROUP_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listOfferings: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        status?: 'active' | 'inactive';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of offerings. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Offering'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `EVENT_NOT_FOUND`: The company has no event of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createOffering: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The event.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OfferingInput'];
      };
    };
    responses: {
      /** @description The offering was created. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Offering'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `EVENT_NOT_FOUND`: The company has no event of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored. Or: The id is taken by another record of the company.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getOffering: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The offering.
         * @example off_standing
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The offering. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Offering'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `OFFERING_NOT_FOUND`: The company has no offering of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'OFFERING_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateOffering: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The offering.
         * @example off_standing
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OfferingPatch'];
        'application/merge-patch+json': components['schemas']['OfferingPatch'];
      };
    };
    responses: {
      /** @description The offering as it is now. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Offering'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `OFFERING_NOT_FOUND`: The company has no offering of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'OFFERING_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listBudgets: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        /** @description Beginnings of up to 10 words in the name; all of them must match, whatever their case and accents. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of budgets. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Budget'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createBudget: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BudgetInput'];
      };
    };
    responses: {
      /** @description The budget was created. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Budget'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['AlreadyExistsOrIdempotencyKeyInUseOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getBudget: {
    parameters: {
      query?: {
        /** @description For a budget `per: customer`: whose. Without it, `usage` is that of all customers together. */
        customerId?: string;
        day?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The budget.
         * @example bud_01k9q4m2x7f8vb3t6d5c0h0001
         */
        budgetId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The budget. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Budget'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `BUDGET_NOT_FOUND`: The company has no budget of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'BUDGET_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateBudget: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The budget.
         * @example bud_01k9q4m2x7f8vb3t6d5c0h0001
         */
        budgetId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BudgetPatch'];
        'application/merge-patch+json': components['schemas']['BudgetPatch'];
      };
    };
    responses: {
      /** @description The budget as it is now. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Budget'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `BUDGET_NOT_FOUND`: The company has no budget of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'BUDGET_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again. */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listAdjustments: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        status?: 'draft' | 'active' | 'scheduled' | 'paused' | 'archived';
        type?: string;
        category?: string;
        /** @description An event or series that one of the targets names. Adjustments for every event (`event/*`) name none: find them with `*`. */
        eventId?: string;
        /** @description An offering that one of the targets or `conditions.offeringIds` names. Together with `eventId` it finds adjustments that name both, in one target or in two. To see what applies to an offering, evaluate it. */
        offeringId?: string;
        code?: string;
        /** @description The coupon that the adjustment belongs to. */
        couponId?: string;
        /** @description Beginnings of up to 10 words in the name or code; all of them must match, whatever their case and accents. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of adjustments. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Adjustment'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createAdjustment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AdjustmentInput'];
      };
    };
    responses: {
      /** @description The adjustment was created and applies at once. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Adjustment'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       *
       *     `COUPON_CODE_TAKEN`: Another active coupon or adjustment of the company has the code. The details name it. One that has ended, or is archived, has none; one that is used up has its code until you archive it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'QUOTA_EXCEEDED' | 'COUPON_CODE_TAKEN';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getAdjustment: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The adjustment.
         * @example adj_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The adjustment. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Adjustment'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ADJUSTMENT_NOT_FOUND`: The company has no adjustment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ADJUSTMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  archiveAdjustment: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The adjustment.
         * @example adj_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The archived adjustment. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Adjustment'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ADJUSTMENT_NOT_FOUND`: The company has no adjustment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ADJUSTMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again. */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateAdjustment: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The adjustment.
         * @example adj_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AdjustmentPatch'];
        'application/merge-patch+json': components['schemas']['AdjustmentPatch'];
      };
    };
    responses: {
      /** @description The adjustment as it is now. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Adjustment'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ADJUSTMENT_NOT_FOUND`: The company has no adjustment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ADJUSTMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       *
       *     `COUPON_CODE_TAKEN`: Another active coupon or adjustment of the company has the code. The details name it. One that has ended, or is archived, has none; one that is used up has its code until you archive it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED' | 'COUPON_CODE_TAKEN';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  evaluateAdjustments: {
    parameters: {
      query?: {
        /** @description `candidates` leaves out adjustments that are for other offerings or need a code that was not presented. */
        dropped?: 'all' | 'candidates';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EvaluateRequest'];
      };
    };
    responses: {
      /** @description The price and how it was computed. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Evaluation'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The body names a company other than the key's. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `ADJUSTMENT_NOT_FOUND`: The company has no adjustment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ADJUSTMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `QUOTA_EXCEEDED`: The company's active and scheduled adjustments take more memory than one company may have.
       *
       *     `COUPON_CODE_TAKEN`: Another active coupon or adjustment of the company has the code. The details name it. One that has ended, or is archived, has none; one that is used up has its code until you archive it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'QUOTA_EXCEEDED' | 'COUPON_CODE_TAKEN';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listRedemptions: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The adjustment.
         * @example adj_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of redemptions. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Redemption'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ADJUSTMENT_NOT_FOUND`: The company has no adjustment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ADJUSTMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  redeemAdjustment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The adjustment.
         * @example adj_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RedemptionInput'];
      };
    };
    responses: {
      /** @description The order had redeemed it before. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Redeemed'];
          };
        };
      };
      /** @description It was redeemed. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Redeemed'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ADJUSTMENT_NOT_FOUND`: The company has no adjustment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ADJUSTMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `REDEMPTION_LIMIT_REACHED`: An adjustment of this order has reached its redemption limit, or its budget has too little left. Or: Orders that are not confirmed yet hold the last redemptions of an adjustment, and may release them. Try again in a moment.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'REDEMPTION_LIMIT_REACHED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  releaseRedemption: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The adjustment.
         * @example adj_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
        /**
         * @description The redemption.
         * @example rdm_01k9q4m2x7f8vb3t6d5c0h0001
         */
        redemptionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It was released. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Redeemed'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `ADJUSTMENT_NOT_FOUND`: The company has no adjustment of this id.
       *
       *     `REDEMPTION_NOT_FOUND`: The adjustment has no redemption of this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ADJUSTMENT_NOT_FOUND' | 'REDEMPTION_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description `REDEMPTION_HELD_BY_ORDER`: An order placed here uses the redemption. Cancel the order instead. */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'REDEMPTION_HELD_BY_ORDER';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listCoupons: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        code?: string;
        /** @description The `status` that the list shows. */
        status?: 'active' | 'inactive' | 'depleted' | 'expired' | 'conflict';
        /** @description One of the `contextIds` of the coupon. */
        contextId?: string;
        /** @description Beginnings of up to 10 words in the code or description; all of them must match, whatever their case and accents. */
        q?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of coupons. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Coupon'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createCoupon: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CouponInput'];
      };
    };
    responses: {
      /** @description The coupon was created. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Coupon'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       *
       *     `COUPON_CODE_TAKEN`: Another active coupon or adjustment of the company has the code. The details name it. One that has ended, or is archived, has none; one that is used up has its code until you archive it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'QUOTA_EXCEEDED' | 'COUPON_CODE_TAKEN';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getCoupon: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The coupon. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Coupon'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `COUPON_NOT_FOUND`: The company has no coupon of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  archiveCoupon: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The archived coupon. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Coupon'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `COUPON_NOT_FOUND`: The company has no coupon of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again. */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateCoupon: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CouponPatch'];
        'application/merge-patch+json': components['schemas']['CouponPatch'];
      };
    };
    responses: {
      /** @description The coupon as it is now. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Coupon'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `COUPON_NOT_FOUND`: The company has no coupon of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       *
       *     `COUPON_CODE_TAKEN`: Another active coupon or adjustment of the company has the code. The details name it. One that has ended, or is archived, has none; one that is used up has its code until you archive it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED' | 'COUPON_CODE_TAKEN';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listCodes: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        /** @description Only those of this batch. */
        batch?: string;
        status?: 'unused' | 'held' | 'used' | 'revoked';
        /** @description Streams everything that matches, whatever `limit` and `cursor` say: one code a line. */
        format?: 'ndjson' | 'csv';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of codes, or all of them as a stream. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['IssuedCode'][];
            page: components['schemas']['Page'];
          };
          'application/x-ndjson': string;
          'text/csv': string;
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `COUPON_NOT_FOUND`: The company has no coupon of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  issueCodes: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['IssueCodesInput'];
      };
    };
    responses: {
      /** @description The codes exist. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CodeBatch'];
          };
        };
      };
      /** @description The codes are being made. */
      202: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CodeBatch'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `COUPON_NOT_FOUND`: The company has no coupon of this id.
       *
       *     `BATCH_NOT_FOUND`: The coupon has no batch of codes with this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND' | 'BATCH_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      409: components['responses']['AlreadyExistsOrIdempotencyKeyInUseOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listCodeBatches: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of batches. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CodeBatch'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `COUPON_NOT_FOUND`: The company has no coupon of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getCodeBatch: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
        /**
         * @description The batch.
         * @example bat_01k9q4m2x7f8vb3t6d5c0h0001
         */
        batchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The batch. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CodeBatch'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `COUPON_NOT_FOUND`: The company has no coupon of this id.
       *
       *     `BATCH_NOT_FOUND`: The coupon has no batch of codes with this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND' | 'BATCH_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  revokeCodeBatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
        /**
         * @description The batch.
         * @example bat_01k9q4m2x7f8vb3t6d5c0h0002
         */
        batchId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The batch is revoked. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CodeBatch'];
          };
        };
      };
      /** @description It is being revoked. */
      202: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CodeBatch'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `COUPON_NOT_FOUND`: The company has no coupon of this id.
       *
       *     `BATCH_NOT_FOUND`: The coupon has no batch of codes with this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND' | 'BATCH_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getCode: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
        /**
         * @description The code, in any spelling.
         * @example vip0417
         */
        code: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The code. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['IssuedCodeDetail'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `COUPON_NOT_FOUND`: The company has no coupon of this id.
       *
       *     `CODE_NOT_FOUND`: No such code was issued for the coupon.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND' | 'CODE_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  revokeCode: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The coupon.
         * @example cpn_01k9q4m2x7f8vb3t6d5c0h0002
         */
        id: string;
        /**
         * @description The code, in any spelling.
         * @example VIP-0417
         */
        code: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The revoked code. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['IssuedCodeDetail'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `COUPON_NOT_FOUND`: The company has no coupon of this id.
       *
       *     `CODE_NOT_FOUND`: No such code was issued for the coupon.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'COUPON_NOT_FOUND' | 'CODE_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listCartSessions: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of sessions, each priced. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CartSession'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createCartSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CartSessionInput'];
      };
    };
    responses: {
      /** @description The session was created. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CartSession'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored. Or: The id is taken by another record of the company.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  setCartItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The cart session.
         * @example cart-ada-1
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CartItemInput'];
      };
    };
    responses: {
      /** @description The session, priced. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CartSession'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       *
       *     `CART_ALREADY_ORDERED`: The cart session has already been ordered; `details` name the order. Or: An order of the cart session is being placed. Retry once that order completes.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'VERSION_CONFLICT'
                | 'QUOTA_EXCEEDED'
                | 'CART_ALREADY_ORDERED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getCartSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The cart session.
         * @example cart-ada-1
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session, priced. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CartSession'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `CART_SESSION_NOT_FOUND`: The company has no cart session of this id, or it has expired. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'CART_SESSION_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateCartSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The cart session.
         * @example cart-ada-1
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CartSessionPatch'];
        'application/merge-patch+json': components['schemas']['CartSessionPatch'];
      };
    };
    responses: {
      /** @description The session, priced. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CartSession'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `CART_SESSION_NOT_FOUND`: The company has no cart session of this id, or it has expired. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'CART_SESSION_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       *
       *     `CART_ALREADY_ORDERED`: The cart session has already been ordered; `details` name the order. Or: An order of the cart session is being placed. Retry once that order completes.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED' | 'CART_ALREADY_ORDERED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listTableCommitments: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        contextId?: string;
        status?: 'open' | 'full' | 'closed';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of table commitments. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['TableCommitment'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createTableCommitment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TableCommitmentInput'];
      };
    };
    responses: {
      /** @description The table commitment was created. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['TableCommitment'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored. Or: The id is taken by another record of the company.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `QUOTA_EXCEEDED`: The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  joinTable: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The cart session.
         * @example cart-ada-1
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['JoinTable'];
      };
    };
    responses: {
      /** @description The session, with a seat. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CartSession'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `CART_SESSION_NOT_FOUND`: The company has no cart session of this id, or it has expired.
       *
       *     `TABLE_COMMITMENT_NOT_FOUND`: The company has no table commitment of this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'CART_SESSION_NOT_FOUND' | 'TABLE_COMMITMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `TABLE_NOT_JOINABLE`: The table is full, closed or for another context, or the session sits elsewhere.
       *
       *     `CART_ALREADY_ORDERED`: The cart session has already been ordered; `details` name the order. Or: An order of the cart session is being placed. Retry once that order completes.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'VERSION_CONFLICT'
                | 'TABLE_NOT_JOINABLE'
                | 'CART_ALREADY_ORDERED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  leaveTable: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The cart session.
         * @example cart-ada-1
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session, without a seat. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CartSession'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `CART_SESSION_NOT_FOUND`: The company has no cart session of this id, or it has expired. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'CART_SESSION_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `CART_ALREADY_ORDERED`: The cart session has already been ordered; `details` name the order. Or: An order of the cart session is being placed. Retry once that order completes.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT' | 'CART_ALREADY_ORDERED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getTableCommitment: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The table commitment.
         * @example table-7
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The table commitment. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['TableCommitment'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `TABLE_COMMITMENT_NOT_FOUND`: The company has no table commitment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'TABLE_COMMITMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateTableCommitment: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The table commitment.
         * @example table-7
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TableCommitmentPatch'];
        'application/merge-patch+json': components['schemas']['TableCommitmentPatch'];
      };
    };
    responses: {
      /** @description The table commitment. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['TableCommitment'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `TABLE_COMMITMENT_NOT_FOUND`: The company has no table commitment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'TABLE_COMMITMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `SEATS_TAKEN`: More seats of the table are taken than it would have.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT' | 'SEATS_TAKEN';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  closeTableCommitment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The table commitment.
         * @example table-7
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The closed table commitment. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['TableCommitment'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `TABLE_COMMITMENT_NOT_FOUND`: The company has no table commitment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'TABLE_COMMITMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listOrders: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        orderNumber?: string;
        email?: string;
        customerId?: string;
        /** @description The `status` that an order shows. A placed order with a label shows that instead of `placed`. */
        status?: string;
        /** @description The state of an order, whatever its label: `placed` finds all that are sold. */
        state?: 'pending' | 'placed' | 'cancelled' | 'expired';
        /** @description What an order says that it is for. Nothing checks that. */
        contextId?: string;
        /** @description Orders with an item of this event's offerings in the catalogue, whatever their `contextId`. The offerings of a series and of its instances are each their own. */
        eventId?: string;
        offeringId?: string;
        /** @description A code that the order was placed with. */
        code?: string;
        /** @description Beginnings of up to 10 words in the order number or the customer's name, e-mail address or phone number; all of them must match, whatever their case and accents. */
        q?: string;
        from?: string;
        to?: string;
        /** @description Streams everything that matches, whatever `limit` and `cursor` say: one order a line. */
        format?: 'ndjson' | 'csv';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of orders, or all of them as a stream. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Order'][];
            page: components['schemas']['Page'];
          };
          'application/x-ndjson': string;
          'text/csv': string;
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OrderRequest'];
      };
    };
    responses: {
      /** @description The order exists already. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            ok: true;
            data: components['schemas']['PlacedOrder'];
          };
        };
      };
      /** @description The order was created: it is placed, or pending. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            ok: true;
            data: components['schemas']['PlacedOrder'];
          };
        };
      };
      /**
       * @description `BAD_REQUEST`: The request is not valid HTTP, or its path is not a plain one.
       *
       *     `VALIDATION_FAILED`: The request breaks its schema or a rule; `details` say where and how.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'BAD_REQUEST' | 'VALIDATION_FAILED' | 'MALFORMED_JSON';
            };
          };
        };
      };
      /** @description `UNAUTHORIZED`: The key is missing or not valid, was revoked, or has expired. */
      401: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          'WWW-Authenticate': components['headers']['WwwAuthenticate'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'UNAUTHORIZED';
            };
          };
        };
      };
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The body names a company other than the key's. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request took too long to arrive. */
      408: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'REQUEST_TIMEOUT';
            };
          };
        };
      };
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `ORDER_NUMBER_TAKEN`: The order number belongs to an order with other content. Or: An order with this number and other content is being placed.
       *
       *     `REDEMPTION_LIMIT_REACHED`: An adjustment of this order has reached its redemption limit, or its budget has too little left. Or: Orders that are not confirmed yet hold the last redemptions of an adjustment, and may release them. Try again in a moment.
       *
       *     `ADJUSTMENT_NOT_APPLICABLE`: A coupon code or adjustment does not apply to this order. `details` have the same `reason` and `detail` as an evaluation.
       *
       *     `SOLD_OUT`: An offering, or its event, has fewer tickets left than the order asks for; `details` name each item with what is left. Or: Orders that are not confirmed yet hold the last tickets, and may release them. Try again in a moment.
       *
       *     `CUSTOMER_LIMIT_REACHED`: The customer has as many tickets of an offering, or of its event, as its `maxPerCustomer` allows, or would have more; `details` name each item with what is left for the customer. Or: Other orders of the customer that are being placed hold the last tickets that one customer may have, and may release them. Try again in a moment.
       *
       *     `NOT_FOR_SALE`: An offering is inactive or outside its sale window, its event is over, or is a draft, cancelled, completed or archived, the order asks for more than its `maxPerOrder`, or an item has no price because its offering is not in the catalogue; `details` name each item. Or: The order has no items of its own, and its cart session is empty.
       *
       *     `CART_ALREADY_ORDERED`: The cart session has already been ordered; `details` name the order. Or: An order of the cart session is being placed. Retry once that order completes.
       *
       *     `CART_CHANGED`: The cart session is no longer at the version that the order names; `details` have the session as it is now.
       *
       *     `PRICE_CHANGED`: The order does not cost what `expectedTotal` says. `details` have both totals, and say what makes the price now and what does not count. Or: The key has `orders:checkout` without `orders:write`, and a price that the order states is not the one that it costs.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'ORDER_NUMBER_TAKEN'
                | 'REDEMPTION_LIMIT_REACHED'
                | 'ADJUSTMENT_NOT_APPLICABLE'
                | 'SOLD_OUT'
                | 'CUSTOMER_LIMIT_REACHED'
                | 'NOT_FOR_SALE'
                | 'CART_ALREADY_ORDERED'
                | 'CART_CHANGED'
                | 'PRICE_CHANGED';
            };
          };
        };
      };
      /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 1 MiB. */
      413: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'PAYLOAD_TOO_LARGE';
            };
          };
        };
      };
      /** @description `URI_TOO_LONG`: Path and query together are longer than 8,192 characters. */
      414: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'URI_TOO_LONG';
            };
          };
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is not sent as application/json, nor a PATCH as application/merge-patch+json. Or: The body is compressed. */
      415: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'UNSUPPORTED_MEDIA_TYPE';
            };
          };
        };
      };
      /** @description `EXPECTATION_FAILED`: The `Expect` header holds something other than `100-continue`. */
      417: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EXPECTATION_FAILED';
            };
          };
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was sent with another request, or by an API key with other scopes. */
      422: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'IDEMPOTENCY_KEY_REUSED';
            };
          };
        };
      };
      /** @description `RATE_LIMITED`: Too many requests with this key, or from this address without a valid one. Wait as long as `Retry-After` says. */
      429: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'RATE_LIMITED';
            };
          };
        };
      };
      /** @description `HEADERS_TOO_LARGE`: The headers are too large. */
      431: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'HEADERS_TOO_LARGE';
            };
          };
        };
      };
      /** @description `INTERNAL_ERROR`: The platform failed. Quote the request id to support. */
      500: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'INTERNAL_ERROR';
            };
          };
        };
      };
      /** @description `BAD_GATEWAY`: The service behind the gateway could not be reached. */
      502: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'BAD_GATEWAY';
            };
          };
        };
      };
      /** @description `SERVICE_UNAVAILABLE`: A dependency is not available or is busy. Try again. */
      503: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'SERVICE_UNAVAILABLE';
            };
          };
        };
      };
      /** @description `UPSTREAM_TIMEOUT`: The service behind the gateway did not respond in time. */
      504: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'UPSTREAM_TIMEOUT';
            };
          };
        };
      };
    };
  };
  getOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.
         * @example ord_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The order. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Order'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ORDER_NOT_FOUND`: The company has no order of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.
         * @example SUMMER-1001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OrderPatch'];
        'application/merge-patch+json': components['schemas']['OrderPatch'];
      };
    };
    responses: {
      /** @description The order. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Order'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ORDER_NOT_FOUND`: The company has no order of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `ORDER_STATUS_CONFLICT`: The order's status does not allow this.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT' | 'ORDER_STATUS_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  extendOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.
         * @example SUMMER-1003
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ExtendOrder'];
      };
    };
    responses: {
      /** @description The order. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Order'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ORDER_NOT_FOUND`: The company has no order of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `ORDER_EXPIRED`: The order expired before it was confirmed, and released what it held.
       *
       *     `ORDER_STATUS_CONFLICT`: The order's status does not allow this.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'VERSION_CONFLICT'
                | 'ORDER_EXPIRED'
                | 'ORDER_STATUS_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  confirmOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.
         * @example SUMMER-1003
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ConfirmOrder'];
      };
    };
    responses: {
      /** @description The placed order. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Order'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ORDER_NOT_FOUND`: The company has no order of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `ORDER_EXPIRED`: The order expired before it was confirmed, and released what it held.
       *
       *     `ORDER_STATUS_CONFLICT`: The order's status does not allow this.
       *
       *     `PRICE_CHANGED`: The order does not cost what `expectedTotal` says. `details` have both totals, and say what makes the price now and what does not count.
       *
       *     `NOT_FOR_SALE`: An event of the order was cancelled. That cancels the order too: refund the buyer.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'VERSION_CONFLICT'
                | 'ORDER_EXPIRED'
                | 'ORDER_STATUS_CONFLICT'
                | 'PRICE_CHANGED'
                | 'NOT_FOR_SALE';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  previewAmendment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.
         * @example SUMMER-1001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AmendmentPreviewInput'];
      };
    };
    responses: {
      /** @description Both modes. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['AmendmentPreview'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key has `orders:checkout` without `orders:write`, and the order is not pending. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `ORDER_NOT_FOUND`: The company has no order of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `ORDER_STATUS_CONFLICT`: The order's status does not allow this.
       *
       *     `AMENDMENT_PENDING`: The order has an amendment that waits to be confirmed.
       *
       *     `NOT_FOR_SALE`: An offering is inactive or outside its sale window, its event is over, or is a draft, cancelled, completed or archived, the order asks for more than its `maxPerOrder`, or an item has no price because its offering is not in the catalogue; `details` name each item.
       *
       *     `PRICE_CHANGED`: The key has `orders:checkout` without `orders:write`, and a price that the order states is not the one that it costs.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'ORDER_STATUS_CONFLICT'
                | 'AMENDMENT_PENDING'
                | 'NOT_FOR_SALE'
                | 'PRICE_CHANGED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listAmendments: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.
         * @example SUMMER-1001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The amendments. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Amendment'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ORDER_NOT_FOUND`: The company has no order of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  amendOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.
         * @example SUMMER-1001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AmendmentInput'];
      };
    };
    responses: {
      /** @description The order, which is so already. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['AmendedOrder'];
          };
        };
      };
      /** @description The order, which is amended unless the amendment is pending, and the amendment. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['AmendedOrder'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key has `orders:checkout` without `orders:write`, and the order is not pending. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `ORDER_NOT_FOUND`: The company has no order of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `ORDER_STATUS_CONFLICT`: The order's status does not allow this.
       *
       *     `AMENDMENT_PENDING`: The order has an amendment that waits to be confirmed.
       *
       *     `REPRICE_UNAVAILABLE`: The order cannot be priced again: its prices were stated, nothing in it had a price, or more adjustments apply to it than an order keeps.
       *
       *     `PRICE_CHANGED`: The order does not cost what `expectedTotal` says. `details` have both totals, and say what makes the price now and what does not count. Or: The key has `orders:checkout` without `orders:write`, and a price that the order states is not the one that it costs.
       *
       *     `SOLD_OUT`: An offering, or its event, has fewer tickets left than the order asks for; `details` name each item with what is left. Or: Orders that are not confirmed yet hold the last tickets, and may release them. Try again in a moment.
       *
       *     `CUSTOMER_LIMIT_REACHED`: The customer has as many tickets of an offering, or of its event, as its `maxPerCustomer` allows, or would have more; `details` name each item with what is left for the customer. Or: Other orders of the customer that are being placed hold the last tickets that one customer may have, and may release them. Try again in a moment.
       *
       *     `NOT_FOR_SALE`: An offering is inactive or outside its sale window, its event is over, or is a draft, cancelled, completed or archived, the order asks for more than its `maxPerOrder`, or an item has no price because its offering is not in the catalogue; `details` name each item.
       *
       *     `REDEMPTION_LIMIT_REACHED`: An adjustment of this order has reached its redemption limit, or its budget has too little left. Or: Orders that are not confirmed yet hold the last redemptions of an adjustment, and may release them. Try again in a moment.
       *
       *     `ADJUSTMENT_NOT_APPLICABLE`: A coupon code or adjustment does not apply to this order. `details` have the same `reason` and `detail` as an evaluation.
       *
       *     `QUOTA_EXCEEDED`: The order has 50 amendments, as many as an order can have.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'VERSION_CONFLICT'
                | 'ORDER_STATUS_CONFLICT'
                | 'AMENDMENT_PENDING'
                | 'REPRICE_UNAVAILABLE'
                | 'PRICE_CHANGED'
                | 'SOLD_OUT'
                | 'CUSTOMER_LIMIT_REACHED'
                | 'NOT_FOR_SALE'
                | 'REDEMPTION_LIMIT_REACHED'
                | 'ADJUSTMENT_NOT_APPLICABLE'
                | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  confirmAmendment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The order, or its order number.
         * @example SUMMER-1001
         */
        id: string;
        /**
         * @description The amendment.
         * @example amd_01k9q4m2x7f8vb3t6d5c0h0002
         */
        amendmentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The amended order, and the amendment. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['MovedAmendment'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key has `orders:checkout` without `orders:write`, and the order is not pending. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /**
       * @description `ORDER_NOT_FOUND`: The company has no order of this id.
       *
       *     `AMENDMENT_NOT_FOUND`: The order has no such amendment.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND' | 'AMENDMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `AMENDMENT_EXPIRED`: The amendment expired before it was confirmed, and gave back what it held.
       *
       *     `AMENDMENT_STATUS_CONFLICT`: The state of the amendment does not allow this.
       *
       *     `ORDER_STATUS_CONFLICT`: The order's status does not allow this.
       *
       *     `NOT_FOR_SALE`: An event whose tickets the amendment adds was cancelled. That cancels the amendment too: refund the buyer.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'VERSION_CONFLICT'
                | 'AMENDMENT_EXPIRED'
                | 'AMENDMENT_STATUS_CONFLICT'
                | 'ORDER_STATUS_CONFLICT'
                | 'NOT_FOR_SALE';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  cancelAmendment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The order, or its order number.
         * @example SUMMER-1003
         */
        id: string;
        /**
         * @description The amendment.
         * @example amd_01k9q4m2x7f8vb3t6d5c0h0003
         */
        amendmentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The order, and the cancelled amendment. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['MovedAmendment'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key has `orders:checkout` without `orders:write`, and the order is not pending. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /**
       * @description `ORDER_NOT_FOUND`: The company has no order of this id.
       *
       *     `AMENDMENT_NOT_FOUND`: The order has no such amendment.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND' | 'AMENDMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `AMENDMENT_STATUS_CONFLICT`: The state of the amendment does not allow this.
       *
       *     `ORDER_STATUS_CONFLICT`: The order's status does not allow this.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'VERSION_CONFLICT'
                | 'AMENDMENT_STATUS_CONFLICT'
                | 'ORDER_STATUS_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getAmendment: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The order, or its order number.
         * @example SUMMER-1001
         */
        id: string;
        /**
         * @description The amendment.
         * @example amd_01k9q4m2x7f8vb3t6d5c0h0001
         */
        amendmentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The amendment, with the order as it was before. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['AmendmentWithBefore'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `ORDER_NOT_FOUND`: The company has no order of this id.
       *
       *     `AMENDMENT_NOT_FOUND`: The order has no such amendment.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND' | 'AMENDMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  cancelOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.
         * @example SUMMER-1001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The cancelled order. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Order'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key has `orders:checkout` without `orders:write`, and the order is not pending. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `ORDER_NOT_FOUND`: The company has no order of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  reopenOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.
         * @example SUMMER-1001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReopenOrder'];
      };
    };
    responses: {
      /** @description The reopened order. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Order'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ORDER_NOT_FOUND`: The company has no order of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ORDER_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `REDEMPTION_LIMIT_REACHED`: An adjustment of this order has reached its redemption limit, or its budget has too little left. Or: Orders that are not confirmed yet hold the last redemptions of an adjustment, and may release them. Try again in a moment.
       *
       *     `ADJUSTMENT_NOT_APPLICABLE`: A coupon code or adjustment does not apply to this order. `details` have the same `reason` and `detail` as an evaluation.
       *
       *     `SOLD_OUT`: An offering, or its event, has fewer tickets left than the order asks for; `details` name each item with what is left. Or: Orders that are not confirmed yet hold the last tickets, and may release them. Try again in a moment.
       *
       *     `CUSTOMER_LIMIT_REACHED`: The customer has as many tickets of an offering, or of its event, as its `maxPerCustomer` allows, or would have more; `details` name each item with what is left for the customer. Or: Other orders of the customer that are being placed hold the last tickets that one customer may have, and may release them. Try again in a moment.
       *
       *     `NOT_FOR_SALE`: An offering is inactive or outside its sale window, its event is over, or is a draft, cancelled, completed or archived, the order asks for more than its `maxPerOrder`, or an item has no price because its offering is not in the catalogue; `details` name each item.
       *
       *     `CART_ALREADY_ORDERED`: The cart session has already been ordered; `details` name the order.
       *
       *     `TABLE_NOT_JOINABLE`: The table is full, closed or for another context, or the session sits elsewhere.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code:
                | 'ALREADY_EXISTS'
                | 'IDEMPOTENCY_KEY_IN_USE'
                | 'VERSION_CONFLICT'
                | 'REDEMPTION_LIMIT_REACHED'
                | 'ADJUSTMENT_NOT_APPLICABLE'
                | 'SOLD_OUT'
                | 'CUSTOMER_LIMIT_REACHED'
                | 'NOT_FOR_SALE'
                | 'CART_ALREADY_ORDERED'
                | 'TABLE_NOT_JOINABLE';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getSales: {
    parameters: {
      query: {
        /** @description How long a bucket is. */
        interval?: 'hour' | 'day';
        /** @description The first bucket is the one with this time. */
        from: string;
        /** @description The last bucket is the one that ends at this time, or the one with it. By default now. At most 1000 buckets. */
        to?: string;
        /** @description The time zone of hours and days. */
        timezone?: string;
        /** @description Only what was sold of this event. */
        eventId?: string;
        /** @description Only what was sold of this series and its instances, together. */
        seriesId?: string;
        /** @description The buckets as text: one row for each bucket and currency. */
        format?: 'csv';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sales of the range. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Sales'];
          };
          'text/csv': string;
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getSalesByAdjustment: {
    parameters: {
      query: {
        /** @description How long a bucket is. */
        interval?: 'hour' | 'day';
        /** @description The first bucket is the one with this time. */
        from: string;
        /** @description The last bucket is the one that ends at this time, or the one with it. By default now. At most 1000 buckets. */
        to?: string;
        /** @description The time zone of hours and days. */
        timezone?: string;
        /** @description Only what was sold of this event. */
        eventId?: string;
        /** @description Only what was sold of this series and its instances, together. */
        seriesId?: string;
        /** @description Only this price adjustment. */
        adjustmentId?: string;
        /** @description The buckets as text: one row for each price adjustment, bucket and currency. */
        format?: 'csv';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The redemptions of the range. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['AdjustmentSales'];
          };
          'text/csv': string;
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createRehearsal: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RehearsalInput'];
      };
    };
    responses: {
      /** @description The report is done. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Rehearsal'];
          };
        };
      };
      /** @description The orders are being replayed. */
      202: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Rehearsal'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key lacks the scope. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `ADJUSTMENT_NOT_FOUND`: The company has no adjustment of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ADJUSTMENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `COUPON_CODE_TAKEN`: Another active coupon or adjustment of the company has the code. The details name it. One that has ended, or is archived, has none; one that is used up has its code until you archive it.
       *
       *     `REHEARSAL_RUNNING`: Another rehearsal of the company is running.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'COUPON_CODE_TAKEN' | 'REHEARSAL_RUNNING';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getRehearsal: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The rehearsal.
         * @example reh_01k9q4m2x7f8vb3t6d5c0h0001
         */
        rehearsalId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The rehearsal. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Rehearsal'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key lacks the scope. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `REHEARSAL_NOT_FOUND`: The company has no rehearsal of this id, or its report was deleted after seven days. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'REHEARSAL_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getCallOff: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description A single event, or an instance of a series.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The call-off. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CallOff'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `EVENT_NOT_FOUND`: The company has no event of this id.
       *
       *     `CALL_OFF_NOT_FOUND`: The event was never called off, or more than a year ago.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND' | 'CALL_OFF_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  callOffEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description A single event, or an instance of a series.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CallOffInput'];
      };
    };
    responses: {
      /** @description The event is called off, and its orders are dealt with. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CallOff'];
          };
        };
      };
      /** @description The sale has stopped; the orders are being dealt with. */
      202: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CallOff'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key lacks the scope. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `EVENT_NOT_FOUND`: The company has no event of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       *
       *     `CALL_OFF_RUNNING`: The event was called off, and its orders are being dealt with.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT' | 'CALL_OFF_RUNNING';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listCalledOffOrders: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        state?: 'cancelled' | 'changed' | 'by-hand' | 'listed';
        /** @description Streams everything that matches, whatever `limit` and `cursor` say: one order a line. */
        format?: 'ndjson' | 'csv';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description A single event, or an instance of a series.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of orders, or all of them as a stream. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CalledOffOrder'][];
            page: components['schemas']['Page'];
          };
          'application/x-ndjson': string;
          'text/csv': string;
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `EVENT_NOT_FOUND`: The company has no event of this id.
       *
       *     `CALL_OFF_NOT_FOUND`: The event was never called off, or more than a year ago.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND' | 'CALL_OFF_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  undoCallOff: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description A single event, or an instance of a series.
         * @example evt_summer_festival
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['UndoCallOff'];
      };
    };
    responses: {
      /** @description The event is on sale again, if it was. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CallOff'];
          };
        };
      };
      /** @description Some orders are still being dealt with. */
      202: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CallOff'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `EVENT_NOT_FOUND`: The company has no event of this id.
       *
       *     `CALL_OFF_NOT_FOUND`: The event was never called off, or more than a year ago.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EVENT_NOT_FOUND' | 'CALL_OFF_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listActivity: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        type?: string;
        /** @description Entries about this record. */
        subject?: string;
        /** @description Entries that concern this record, without being about it. */
        related?: string;
        /** @description Entries that this API key led to, by its id. */
        actor?: string;
        /** @description Entries from this time on. */
        from?: string;
        /** @description Entries before this time. */
        to?: string;
        /** @description Returns what comes after this cursor, oldest first: `page.next` of the last response or the cursor of an entry; `oldest`, or `now`. */
        after?: string;
        /** @description With `after`: for how many seconds to wait for an entry if there is none yet. */
        wait?: number;
        /** @description With `after`: returns the last entry of each record only, of the next 5,000 entries. */
        collapse?: 'subject';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of entries. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['ActivityEntry'][];
            page: {
              /** @description The cursor of the next page; null on the last one. */
              next: string | null;
              limit: number;
              /** @description With `after`: whether more entries are there already. */
              more?: boolean;
            };
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key may not read of the types that it asked for. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description `CURSOR_EXPIRED`: The entries after this cursor are no longer kept. */
      410: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'CURSOR_EXPIRED';
            };
          };
        };
      };
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      /** @description `RATE_LIMITED`: Too many requests with this key, or from this address without a valid one. Wait as long as `Retry-After` says. Or: Too many streams and waiting requests of the company are open. */
      429: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'RATE_LIMITED';
            };
          };
        };
      };
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  streamActivity: {
    parameters: {
      query?: {
        type?: string;
        /** @description Entries about this record. */
        subject?: string;
        /** @description Entries that concern this record, without being about it. */
        related?: string;
        /** @description Entries that this API key led to, by its id. */
        actor?: string;
        /** @description Where to begin: a cursor, `oldest`, or `now`. */
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Entries, as they happen. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key may not read of the types that it asked for. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description `CURSOR_EXPIRED`: The entries after this cursor are no longer kept. */
      410: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'CURSOR_EXPIRED';
            };
          };
        };
      };
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      /** @description `RATE_LIMITED`: Too many requests with this key, or from this address without a valid one. Wait as long as `Retry-After` says. Or: Too many streams and waiting requests of the company are open. */
      429: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'RATE_LIMITED';
            };
          };
        };
      };
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        status?: 'active' | 'paused';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of webhooks. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Webhook'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookInput'];
      };
    };
    responses: {
      /** @description The webhook was created. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CreatedWebhook'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key may not read events of a type that the webhook would get. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `QUOTA_EXCEEDED`: The company has reached the limit of its webhooks.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The webhook: `whk_...`.
         * @example whk_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhook, without its secret. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Webhook'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `WEBHOOK_NOT_FOUND`: The company has no webhook of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'WEBHOOK_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The webhook: `whk_...`.
         * @example whk_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhook as it was. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Webhook'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `WEBHOOK_NOT_FOUND`: The company has no webhook of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'WEBHOOK_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again. */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the record as you read it, or its `version` in quotes. If it was changed since, you get 409 `VERSION_CONFLICT`. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /**
         * @description The webhook: `whk_...`.
         * @example whk_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookPatch'];
        'application/merge-patch+json': components['schemas']['WebhookPatch'];
      };
    };
    responses: {
      /** @description The webhook as it is now. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Webhook'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The key may not read events of a type that the webhook would get. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `WEBHOOK_NOT_FOUND`: The company has no webhook of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'WEBHOOK_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /** @description `VERSION_CONFLICT`: The record is not at the version in `If-Match`. Or: `If-Match` names only weak tags, which never match. Or: Other requests kept changing the record. Try again. */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The webhook: `whk_...`.
         * @example whk_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateWebhookSecret'];
      };
    };
    responses: {
      /** @description The new secret. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['RotatedWebhookSecret'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `WEBHOOK_NOT_FOUND`: The company has no webhook of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'WEBHOOK_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: Other requests kept changing the record. Try again.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The webhook: `whk_...`.
         * @example whk_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['TestWebhook'];
      };
    };
    responses: {
      /** @description The attempt, whether it succeeded or not. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['DeliveryAttempt'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `WEBHOOK_NOT_FOUND`: The company has no webhook of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'WEBHOOK_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      409: components['responses']['AlreadyExistsOrIdempotencyKeyInUse'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        status?: 'delivered' | 'retrying' | 'waiting' | 'parked';
        eventId?: string;
        type?: string;
        subject?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The webhook: `whk_...`.
         * @example whk_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of deliveries. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Delivery'][];
            page: components['schemas']['Page'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `WEBHOOK_NOT_FOUND`: The company has no webhook of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'WEBHOOK_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  resendDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The webhook.
         * @example whk_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
        /**
         * @description The event: its `webhook-id`.
         * @example 8c1f6a52-3b7d-4e0a-9f24-6d5b0c7e1a93
         */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The attempt, whether it succeeded or not. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['DeliveryAttempt'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `WEBHOOK_NOT_FOUND`: The company has no webhook of this id.
       *
       *     `DELIVERY_NOT_FOUND`: The webhook gets no event of this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'WEBHOOK_NOT_FOUND' | 'DELIVERY_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `WEBHOOK_NOT_ACTIVE`: The webhook is paused.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'WEBHOOK_NOT_ACTIVE';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  replayWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The webhook: `whk_...`.
         * @example whk_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReplayWebhook'];
      };
    };
    responses: {
      /** @description The replay has begun. */
      202: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['WebhookReplay'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `WEBHOOK_NOT_FOUND`: The company has no webhook of this id. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'WEBHOOK_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `WEBHOOK_NOT_ACTIVE`: The webhook is paused.
       *
       *     `REPLAY_UNDER_WAY`: An earlier replay of the webhook has not ended.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'WEBHOOK_NOT_ACTIVE' | 'REPLAY_UNDER_WAY';
            };
          };
        };
      };
      /** @description `CURSOR_EXPIRED`: The entries after this cursor are no longer kept. */
      410: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'CURSOR_EXPIRED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getWebhookReplay: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The webhook.
         * @example whk_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
        /**
         * @description The replay: `rpl_...`.
         * @example rpl_01k9q4m2x7f8vb3t6d5c0h0001
         */
        replayId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Its progress. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['WebhookReplay'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /**
       * @description `WEBHOOK_NOT_FOUND`: The company has no webhook of this id.
       *
       *     `REPLAY_NOT_FOUND`: The webhook has no replay of this id.
       */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'WEBHOOK_NOT_FOUND' | 'REPLAY_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  eraseCustomer: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The id or the e-mail address of the customer.
         * @example nobody@example.com
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['EraseCustomer'];
      };
    };
    responses: {
      /** @description The customer is erased. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CustomerErasure'];
          };
        };
      };
      /** @description The erasure is running. */
      202: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CustomerErasure'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `CUSTOMER_HAS_PENDING_ORDERS`: Orders of the customer wait for payment. The details name some of them.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'CUSTOMER_HAS_PENDING_ORDERS';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getErasure: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If nothing has changed since, you get a 304 without a body. */
        'If-None-Match'?: components['parameters']['IfNoneMatch'];
      };
      path: {
        /**
         * @description The erasure: `ers_...`.
         * @example ers_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The erasure. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CustomerErasure'];
          };
        };
      };
      /** @description Nothing has changed since the response with this `ETag`. No body. */
      304: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          ETag: components['headers']['ETag'];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `ERASURE_NOT_FOUND`: The company has no erasure of this id. Finished ones can be read for 90 days. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ERASURE_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /** @description The most records on a page. */
        limit?: number;
        /** @description `page.next` of the previous page. */
        cursor?: string;
        companyId?: string;
        environment?: 'live' | 'test';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of keys. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['ApiKey'][];
            page: components['schemas']['Page'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: `companyId` is not that of the key. Or: `environment` is not that of the key. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateApiKey'];
      };
    };
    responses: {
      /** @description The key was issued. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['IssuedApiKey'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The new key would have more than the key that asks: a scope, a rate limit or a longer life. Or: `companyId` is not that of the key. Or: `environment` is not that of the key. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `QUOTA_EXCEEDED`: The company has reached its limit of API keys.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The key: `key_...`, not its text.
         * @example key_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The key, without its secret. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['ApiKey'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `API_KEY_NOT_FOUND`: There is no API key of this id that yours can manage. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'API_KEY_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rotateApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The key: `key_...`, not its text.
         * @example key_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateApiKey'];
      };
    };
    responses: {
      /** @description The new key. */
      201: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['IssuedApiKey'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key lacks the scope. Or: The new key would have more than the key that asks: a scope, a rate limit or a longer life. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      /** @description `API_KEY_NOT_FOUND`: There is no API key of this id that yours can manage. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'API_KEY_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      /**
       * @description `ALREADY_EXISTS`: The request with this Idempotency-Key has already succeeded, and its response was not stored.
       *
       *     `IDEMPOTENCY_KEY_IN_USE`: The request with this Idempotency-Key is still running.
       *
       *     `VERSION_CONFLICT`: The key was already rotated or revoked, or has expired.
       *
       *     `QUOTA_EXCEEDED`: The company has reached its limit of API keys.
       */
      409: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'ALREADY_EXISTS' | 'IDEMPOTENCY_KEY_IN_USE' | 'VERSION_CONFLICT' | 'QUOTA_EXCEEDED';
            };
          };
        };
      };
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  revokeApiKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes the request take effect once, however often it is sent. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
      };
      path: {
        /**
         * @description The key: `key_...`, not its text.
         * @example key_01k9q4m2x7f8vb3t6d5c0h0001
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The revoked key. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          'Idempotent-Replayed': components['headers']['IdempotentReplayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['ApiKey'];
          };
        };
      };
      400: components['responses']['BadRequestOrValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description `API_KEY_NOT_FOUND`: There is no API key of this id that yours can manage. */
      404: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'API_KEY_NOT_FOUND';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      409: components['responses']['AlreadyExistsOrIdempotencyKeyInUse'];
      413: components['responses']['PayloadTooLarge'];
      414: components['responses']['UriTooLong'];
      415: components['responses']['UnsupportedMediaType'];
      417: components['responses']['ExpectationFailed'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getUsage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every quota by its name. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['CompanyUsage'];
          };
        };
      };
      400: components['responses']['BadRequest'];
      401: components['responses']['Unauthorized'];
      /** @description `FORBIDDEN`: The key is the operator's, which belongs to no company. */
      403: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          RateLimit: components['headers']['RateLimit'];
          'RateLimit-Policy': components['headers']['RateLimitPolicy'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'FORBIDDEN';
            };
          };
        };
      };
      408: components['responses']['RequestTimeout'];
      414: components['responses']['UriTooLong'];
      417: components['responses']['ExpectationFailed'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      502: components['responses']['BadGateway'];
      503: components['responses']['ServiceUnavailable'];
      504: components['responses']['UpstreamTimeout'];
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is alive. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Alive'];
          };
        };
      };
      /** @description `BAD_REQUEST`: The request is not valid HTTP, or its path is not a plain one. */
      400: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'BAD_REQUEST';
            };
          };
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request took too long to arrive. */
      408: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'REQUEST_TIMEOUT';
            };
          };
        };
      };
      /** @description `URI_TOO_LONG`: Path and query together are longer than 8,192 characters. */
      414: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'URI_TOO_LONG';
            };
          };
        };
      };
      /** @description `EXPECTATION_FAILED`: The `Expect` header holds something other than `100-continue`. */
      417: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EXPECTATION_FAILED';
            };
          };
        };
      };
      /** @description `HEADERS_TOO_LARGE`: The headers are too large. */
      431: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'HEADERS_TOO_LARGE';
            };
          };
        };
      };
      /** @description `INTERNAL_ERROR`: The platform failed. Quote the request id to support. */
      500: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'INTERNAL_ERROR';
            };
          };
        };
      };
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is ready. */
      200: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'ok';
            data: components['schemas']['Readiness'];
          };
        };
      };
      /** @description `BAD_REQUEST`: The request is not valid HTTP, or its path is not a plain one. */
      400: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'BAD_REQUEST';
            };
          };
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request took too long to arrive. */
      408: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'REQUEST_TIMEOUT';
            };
          };
        };
      };
      /** @description `URI_TOO_LONG`: Path and query together are longer than 8,192 characters. */
      414: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'URI_TOO_LONG';
            };
          };
        };
      };
      /** @description `EXPECTATION_FAILED`: The `Expect` header holds something other than `100-continue`. */
      417: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'EXPECTATION_FAILED';
            };
          };
        };
      };
      /** @description `HEADERS_TOO_LARGE`: The headers are too large. */
      431: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'HEADERS_TOO_LARGE';
            };
          };
        };
      };
      /** @description `INTERNAL_ERROR`: The platform failed. Quote the request id to support. */
      500: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'INTERNAL_ERROR';
            };
          };
        };
      };
      /** @description `SERVICE_UNAVAILABLE`: A dependency does not respond, or the gateway is shutting down. `data` says what. */
      503: {
        headers: {
          'x-request-id': components['headers']['RequestId'];
          'Retry-After': components['headers']['RetryAfter'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            error: {
              /** @enum {unknown} */
              code: 'SERVICE_UNAVAILABLE';
            };
            data?: components['schemas']['Readiness'];
          };
        };
      };
    };
  };
}
