// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__

#include <algorithm>
#include <initializer_list>

#include "situ/engine/cuda_kernel.hpp"
#include "situ/runtime/memory.hpp"
#include "situ/runtime/stream.hpp"
#include "situ/runtime/trace_span.hpp"

// The host's side of a fused pass on a CUDA device: how the work is cut, where its memory is, the
// launch.
namespace situ::detail::gpu {

// Device memory that only grows, allocated and released in the order of a stream.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(int device) : device_(device) {}
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : device_(other.device_),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  ~DeviceBuffer() {
    // The stream may be gone; then its memory is at home on the default stream.
    if (data_ != nullptr) release_on(device_, data_, home_stream(device_, data_));
  }
  unsigned char* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  // At least `bytes`; true when the memory is new, and what was in it is lost.
  bool reserve(std::size_t bytes, cudaStream_t stream) {
    if (data_ != nullptr) set_home_stream(device_, data_, stream);
    if (bytes <= bytes_) return false;
    auto* fresh = static_cast<unsigned char*>(allocate_on(device_, bytes, stream));
    if (data_ != nullptr) release_on(device_, data_, stream);
    data_ = fresh;
    bytes_ = bytes;
    return true;
  }
  void swap(DeviceBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

 private:
  int device_;
  unsigned char* data_ = nullptr;
  std::size_t bytes_ = 0;
};

inline void clear_on(int device, void* data, std::size_t bytes, cudaStream_t stream) {
  const auto traced = trace_memory(TraceKind::clear, "state", device, bytes, stream);
  const DeviceGuard guard(device);
  check_cuda(cudaMemsetAsync(data, 0, bytes, stream), "cudaMemsetAsync", device);
}
// From device memory to the host's and back. The host may use `to` once the stream is done.
inline void read_on(int device, void* to, const void* from, std::size_t bytes,
                    cudaStream_t stream) {
  if (bytes == 0) return;
  const auto traced = trace_transfer(device, on_host, bytes, device, stream, false);
  const DeviceGuard guard(device);
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync",
             device);
}
inline void write_on(int device, void* to, const void* from, std::size_t bytes,
                     cudaStream_t stream) {
  if (bytes == 0) return;
  const auto traced = trace_transfer(on_host, device, bytes, device, stream, false);
  const DeviceGuard guard(device);
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync",
             device);
}
inline void copy_on(int device, void* to, const void* from, std::size_t bytes,
                    cudaStream_t stream) {
  if (bytes == 0) return;
  const auto traced = trace_transfer(device, device, bytes, device, stream, true);
  const DeviceGuard guard(device);
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync",
             device);
}
// One launch of blocks of `block_threads`, as the trace sees it.
template <class Params>
void launch(const char* name, const void* kernel, unsigned grid, Params& params,
            std::size_t shared_bytes, std::int64_t bytes_read, std::int64_t bytes_written,
            int device, cudaStream_t stream) {
  void* arguments[] = {&params};
  const auto traced = trace_launch(name, device, bytes_read, bytes_written, stream);
  const DeviceGuard guard(device);
  check_cuda(
      cudaLaunchKernel(kernel, dim3(grid), dim3(block_threads), arguments, shared_bytes, stream),
      "cudaLaunchKernel", device);
}

// Bytes of all elements of an argument.
template <class Args, class... Is>
std::int64_t bytes_of_inputs(const Args& args, Types<Is...>) {
  const auto one = [&]<int K, class T, int R>(Input<K, T, R>*) {
    return static_cast<std::int64_t>(sizeof(T)) * args.rows * (R == 2 ? args.columns : 1);
  };
  return (one(static_cast<Is*>(nullptr)) + ... + std::int64_t{0});
}

// Memory of the passes of one owner, who runs one of them at a time.
class Workspace {
 public:
  explicit Workspace(int device) : device_(device), zeroed_(device), scratch_(device) {}
  int device() const { return device_; }
  // The header, and behind it `bytes` that are zero between passes.
  SharedState* zeroed(std::size_t bytes, cudaStream_t stream) {
    if (zeroed_.reserve(header + bytes, stream)) {
      clear_on(device_, zeroed_.data(), zeroed_.bytes(), stream);
      const SharedState start{Violation::none, 0};
      write_on(device_, zeroed_.data(), &start, sizeof start, stream);
    }
    return reinterpret_cast<SharedState*>(zeroed_.data());
  }
  unsigned char* zeroes() const { return zeroed_.data() + header; }
  unsigned char* scratch(std::size_t bytes, cudaStream_t stream) {
    scratch_.reserve(bytes, stream);
    return scratch_.data();
  }

 private:
  static constexpr std::size_t header = 64;
  int device_;
  DeviceBuffer zeroed_;
  DeviceBuffer scratch_;
};

// For tests: at most so many blocks. The results are the same whatever it is.
inline int grid_limit = 1 << 16;

// Dynamic shared memory that every device grants beside what the kernel has of its own.
inline constexpr std::int64_t shared_budget = 40 * 1024;
// Chunks of a pass: enough for every block of the largest devices, few enough for one block to
// join.
inline constexpr std::int64_t most_chunks = 4096;
inline constexpr std::int64_t elements_per_chunk = 16384;

// Threads per row: every one has a few elements at least, and long rows of small batches still fill
// a device.
inline int lanes_for(std::int64_t rows, std::int64_t columns) {
  if (columns >= 2048 || (columns >= 512 && rows < 4096)) return block_threads;
  int lanes = 1;
  while (lanes < warp_threads && lanes * 8 < columns) lanes *= 2;
  return lanes;
}

template <class P, class Args>
class CudaPass;
template <class... Ns, class... Is, class... Ws, class Args>
class CudaPass<Plan<Types<Ns...>, Types<Is...>, Types<Ws...>>, Args> {
  using P = Plan<Types<Ns...>, Types<Is...>, Types<Ws...>>;
  static constexpr int wanted = P::wanted_count;
  static constexpr bool has_rows = P::reads_rows || P::levels > 0 || (per_element<Ws> || ...);

 public:
  explicit CudaPass(const Args& args) : args_(args) {
    counts_ = {cell_traits<Ws>::count(args)..., 0};
  }
  std::int64_t count(int i) const { return counts_[static_cast<std::size_t>(i)]; }

  // One kernel launch; memory is allocated when the workspace has to grow.
  template <class... Ts>
  void launch(Workspace& workspace, cudaStream_t stream, const Tuple<Ts...>& targets,
              Report* report, int plan_id) {
    using Params = Parameters<P, Args, Tuple<Ts...>>;
    using Chunk = BlockChunk<P, Args, Tuple<Ts...>>;
    static_assert(sizeof(Params) <= 4096,
                  "situ: this collection has more parameters than a kernel takes; split it in two");
    static_assert(std::is_trivially_copyable_v<Params>);
    Params p{args_, {}, targets, nullptr, report, plan_id, {}, 0};
    static_assert(
        sizeof(typename Chunk::Exchange) <= 8 * 1024,
        "situ: this collection accumulates more per thread than a block can exchange; split it "
        "in two");
    cut(p.g, Chunk::row_in_tile_bytes);
    std::int64_t shared = std::max<std::int64_t>(p.g.shared_bytes, Chunk::strand_bytes);
    if constexpr (Chunk::row_in_tile_bytes > 0) {
      p.g.rows_offset = static_cast<std::int32_t>(shared);
      shared += (Chunk::row_in_tile_bytes * (block_threads / p.g.lanes) + 15) / 16 * 16;
    }
    std::size_t zeroes = 0;
    std::size_t scratch = 0;
    for_each_index<wanted>([&]<int I>() {
      using T = part_traits<type_at_t<I, Types<Ws...>>>;
      auto& part = get<I>(p.parts);
      part = {nullptr, static_cast<std::int32_t>(T::rows ? 0 : counts_[I]), -1};
      const std::int64_t wish =
          T::may_be_shared ? (counts_[I] * T::shared_bytes + 15) / 16 * 16 : 0;
      if (T::may_be_shared && shared + wish <= shared_budget) {
        part.shared_offset = static_cast<std::int32_t>(shared);
        shared += wish;
      }
      (T::counts ? zeroes : scratch) += part_bytes<I>(p.g);
    });
    p.g.shared_bytes = static_cast<std::int32_t>(shared);
    p.shared = workspace.zeroed(zeroes, stream);
    unsigned char* next_zero = workspace.zeroes();
    unsigned char* next = workspace.scratch(scratch, stream);
    for_each_index<wanted>([&]<int I>() {
      using R = type_at_t<I, Types<Ws...>>;
      unsigned char*& from = part_traits<R>::counts ? next_zero : next;
      get<I>(p.parts).partial = reinterpret_cast<typename R::cell*>(from);
      from += part_bytes<I>(p.g);
    });
    p.chunks = p.g.chunks;
    const auto grid = static_cast<unsigned>(std::min<std::int64_t>(p.chunks, grid_limit));
    gpu::launch("fused update", reinterpret_cast<const void*>(&fused_update<P, Args, Tuple<Ts...>>),
                grid, p, static_cast<std::size_t>(p.g.shared_bytes),
                bytes_of_inputs(args_, Types<Is...>{}), 0, workspace.device(), stream);
  }

 private:
  template <int I>
  std::size_t part_bytes(const Geometry& g) const {
    using R = type_at_t<I, Types<Ws...>>;
    using T = part_traits<R>;
    std::int64_t cells = counts_[I];
    if (T::single) cells = g.chunks;
    if (T::weights || T::columns) cells = counts_[I] * g.chunks;
    if (T::rows) cells = 0;
    return (static_cast<std::size_t>(cells) * sizeof(typename R::cell) + 63) / 64 * 64;
  }

  // How the rows are cut and read: of the problem's size, and of alignment where it does not matter
  // to the result.
  void cut(Geometry& g, std::int64_t row_in_tile_bytes) const {
    std::int64_t step = flat_rows * block_threads;
    std::int64_t row_elements = 1;
    if constexpr (has_rows) {
      g.lanes = lanes_for(args_.rows, args_.columns);
      // What is remembered of a tile's rows takes half of the shared memory at most.
      while (g.lanes < warp_threads &&
             row_in_tile_bytes * (block_threads / g.lanes) > shared_budget / 2) {
        g.lanes *= 2;
      }
      step = block_threads / g.lanes;
      row_elements = args_.columns;
      std::int64_t bytes = 0;
      bool contiguous = true;
      bool by_sectors = true;
      (look_at(static_cast<Is*>(nullptr), step, bytes, contiguous, by_sectors), ...);
      g.staged = contiguous && g.lanes <= warp_threads &&
                 bytes + row_in_tile_bytes * step <= shared_budget &&
                 !(by_sectors && args_.columns >= 128);
      g.shared_bytes = static_cast<std::int32_t>(g.staged ? bytes : 0);
    } else {
      g.lanes = 1;
      g.vectorised = (can_vectorise(static_cast<Is*>(nullptr)) && ...);
    }
    std::int64_t scratch = 1;
    for_each_index<wanted>([&]<int I>() {
      using R = type_at_t<I, Types<Ws...>>;
      using T = part_traits<R>;
      if (T::columns || T::weights) {
        scratch += counts_[I] * static_cast<std::int64_t>(sizeof(typename R::cell));
      }
    });
    const std::int64_t most =
        std::clamp<std::int64_t>(most_scratch_bytes / scratch, 4, most_chunks);
    std::int64_t rows = std::max(elements_per_chunk / std::max<std::int64_t>(row_elements, 1),
                                 (args_.rows + most - 1) / most);
    rows = (std::max<std::int64_t>(rows, 1) + step - 1) / step * step;
    g.rows_per_chunk = rows;
    g.chunks = (args_.rows + rows - 1) / rows;
  }
  template <int K, class T>
  void look_at(Input<K, T, 1>*, std::int64_t, std::int64_t&, bool&, bool&) const {}
  template <int K, class T>
  void look_at(Input<K, T, 2>*, std::int64_t tile_rows, std::int64_t& bytes, bool& contiguous,
               bool& by_sectors) const {
    const auto& in = get<K>(args_.inputs);
    contiguous =
        contiguous && in.column_stride == 1 && (in.row_stride == args_.columns || args_.rows == 1);
    const std::int64_t row = (args_.columns + 1) * tile_rows * static_cast<std::int64_t>(sizeof(T));
    bytes += (row + 15) / 16 * 16;
    by_sectors = by_sectors && args_.columns * static_cast<std::int64_t>(sizeof(T)) % 32 == 0 &&
                 reinterpret_cast<std::uintptr_t>(in.data) % 32 == 0;
  }
  template <int K, class T, int R>
  bool can_vectorise(Input<K, T, R>*) const {
    const auto& in = get<K>(args_.inputs);
    constexpr std::size_t bytes = flat_rows * sizeof(T) < 16 ? flat_rows * sizeof(T) : 16;
    return in.row_stride == 1 && reinterpret_cast<std::uintptr_t>(in.data) % bytes == 0;
  }

  const Args& args_;
  std::array<std::int64_t, static_cast<std::size_t>(wanted) + 1> counts_;
};

}  // namespace situ::detail::gpu

#endif  // __CUDACC__
